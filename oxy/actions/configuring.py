"""Look through configuration files, and change them (spec: command-line, L31 to L33)."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from oxy.typed import Final, NamedTuple

from oxy.actions.config import (
    Held,
    NoSettingError,
    Value,
    ValueRefusedError,
    checked,
    find,
    parsed,
    repository_file,
)
from oxy.actions.settings import Setting, keys_of, near, setting_of
from oxy.repo.durable import make_directories, sync_directory
from oxy.repo.userfile import ConfigError, Table, read, user_file

TEMPORARY: Final = b".new"

OUTSIDE: Final = "names a file outside of the repository"


class Line(NamedTuple):
    """One setting of one file."""

    name: str
    held: Held


class Problem(NamedTuple):
    """What is wrong in a file; `near` are names that a wrong one looks like."""

    path: bytes
    what: str
    near: tuple[str, ...] = ()


class Found(NamedTuple):
    """What a file sets, and what is wrong in it."""

    lines: list[Line]
    problems: list[Problem]


def files(control: bytes | None) -> list[bytes]:
    """Return the files that are read, the one that comes first first."""
    return [*([repository_file(control)] if control is not None else []), user_file()]


def found_in(path: bytes, control: bytes | None) -> Found:
    """Return all that a file sets. What it may not set is a problem and no line.

    Raises:
        ConfigError: it is not TOML, or cannot be read.
    """
    is_user = control is None or path != repository_file(control)
    found = Found([], [])
    for name, value in _leaves(read(path), ""):
        setting = setting_of(name)
        if setting is None:
            found.problems.append(Problem(path, f"no setting is called '{name}'", near(name)))
        elif not is_user and setting.file == "user":
            found.problems.append(Problem(path, f"{name} counts in the user's file only"))
        else:
            try:
                right = checked(setting, name, value, path)
            except ConfigError as error:
                found.problems.append(Problem(path, error.why))
            else:
                if is_user or not _leads_outside(setting, right):
                    found.lines.append(Line(name, Held(right, path)))
                else:
                    found.problems.append(Problem(path, f"{name} {OUTSIDE}"))
    return found


def write(path: bytes, name: str, given: Sequence[str], *, is_user: bool) -> Value:
    """Set a value in a file, which keeps its comments and its order; return the value.

    Raises:
        NoSettingError: there is no such setting.
        ValueRefusedError: it cannot have that value, or not in the file of a repository.
        ConfigError: the file is not TOML, or holds something else where a table should be.
    """
    value = parsed(name, given)
    setting = _known(name)
    if not is_user and setting.file == "user":
        raise ValueRefusedError(name, "counts in the user's file only")
    if not is_user and _leads_outside(setting, value):
        raise ValueRefusedError(name, OUTSIDE)
    import tomlkit

    document = tomlkit.parse(_text(path))
    *tables, last = keys_of(setting, name)
    at: object = document
    for key in tables:
        at = _table(path, at, key)
    if not isinstance(at, dict):
        raise ConfigError(path, f"{'.'.join(tables)} is no table")
    at[last] = value
    replace_file(path, tomlkit.dumps(document))
    return value


def remove(path: bytes, name: str) -> bool:
    """Take a setting out of a file; False if it was not there.

    What is no setting can be taken out too, so that a file can be put right.

    Raises:
        ConfigError: the file is not TOML.
    """
    setting = setting_of(name)
    *tables, last = name.split(".") if setting is None else keys_of(setting, name)
    read(path)
    import tomlkit

    document = tomlkit.parse(_text(path))
    at = find(document, tables)
    if not isinstance(at, dict) or last not in at:
        return False
    del at[last]
    replace_file(path, tomlkit.dumps(document))
    return True


def _leads_outside(setting: Setting, value: Value) -> bool:
    """Return whether a path says by itself that it is none below a directory."""
    if setting.kind != "path" or not isinstance(value, str):
        return False
    return os.path.isabs(value) or os.path.normpath(value).split("/")[0] == ".."


def _known(name: str) -> Setting:
    setting = setting_of(name)
    if setting is None:
        raise NoSettingError(name)
    return setting


def _leaves(table: Table, before: str) -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def _table(path: bytes, at: object, key: str) -> object:
    """Return the table of a key, made where there is none."""
    import tomlkit

    if not isinstance(at, dict):
        raise ConfigError(path, f"there is no room for a table {key}")
    if key not in at:
        at[key] = tomlkit.table()
    inner: object = at[key]
    return inner


def _text(path: bytes) -> str:
    read(path)
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def replace_file(path: bytes, content: str) -> None:
    """Write a file as a whole, or not at all; a link stays one, and permissions stay."""
    real = os.path.realpath(path)
    make_directories(os.path.dirname(real))
    beside = real + TEMPORARY + b"%d" % os.getpid()
    try:
        with open(beside, "xb") as file:
            with suppress(FileNotFoundError):
                os.fchmod(file.fileno(), os.stat(real).st_mode & 0o777)
            file.write(content.encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, real)
        sync_directory(os.path.dirname(real))
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)
