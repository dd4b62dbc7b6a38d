"""What the user set: oxy's configuration files (spec: command-line, L21, L31, L32).

What was given with the command comes first, then the repository's own file as far as it may
say, then the user's. Nothing that travels with a repository is read: `.oxy` is never tracked
or received. A file is read when something is asked of it, and only what is asked for is
checked.
"""

import os
from oxy.typed import TYPE_CHECKING, NamedTuple

from oxy.actions.settings import Setting, keys_of, near, setting_of
from oxy.errors import RequestError
from oxy.repo.place import store_of
from oxy.repo.userfile import FILE, ConfigError, Table, read, user_file

if TYPE_CHECKING:
    from collections.abc import Sequence

Value = str | list[str]

_given: list[tuple[str, Value]] = []


class NoSettingError(RequestError):
    """No setting has this name; `near` are those that look like it."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no setting is called '{name}'")
        self.name = name
        self.near = near(name)


class ValueRefusedError(RequestError):
    """A value is not one that the setting can have."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"setting {name} {why}")
        self.name = name
        self.why = why


class Held(NamedTuple):
    """A value, and the file that says so; None for one that was given with the command."""

    value: Value
    path: bytes | None


def repository_file(control: bytes) -> bytes:
    """Return where the file of a repository is, or would be.

    `control` is its `.oxy`, or that of one of its workspaces.
    """
    return os.path.join(store_of(control), FILE)


def text(control: bytes | None, name: str) -> str | None:
    """Return the text of a setting, or None where it is not set.

    Args:
        control: the `.oxy` directory, where there is one; None reads the user's file alone.
        name: such as `user.email`.

    Raises:
        ConfigError: a file is not TOML, or what is set is of another kind.
    """
    found = held(control, name)
    return found.value if found is not None and isinstance(found.value, str) else None


def words(control: bytes | None, name: str) -> list[str]:
    """Return the words of a setting, none where it is not set; raises as `text`."""
    found = held(control, name)
    return found.value if found is not None and isinstance(found.value, list) else []


def file_of(control: bytes, name: str, root: bytes) -> bytes | None:
    """Return the file that a setting names, or None; a relative path is one below a root.

    Raises:
        ConfigError: the file of the repository names one outside of it; or as `text`.
    """
    found = held(control, name)
    if found is None or not isinstance(found.value, str) or not found.value:
        return None
    if found.path == repository_file(control):
        path = os.path.realpath(os.path.join(root, os.fsencode(found.value)))
        if not path.startswith(os.path.realpath(root) + b"/"):
            raise ConfigError(found.path, f"{name} names a file outside of the repository")
        return path
    return os.path.join(root, os.path.expanduser(os.fsencode(found.value)))


def held(control: bytes | None, name: str) -> Held | None:
    """Return a setting and where it is set, or None.

    Raises:
        NoSettingError: there is no such setting.
        ConfigError: see `text`.
    """
    setting = setting_of(name)
    if setting is None:
        raise NoSettingError(name)
    for given, value in reversed(_given):
        if given == name:
            return Held(value, None)
    for path in _files(control, setting):
        found = find(read(path), keys_of(setting, name))
        if found is not None:
            return Held(checked(setting, name, found, path), path)
    return None


def names_in(section: str) -> list[str]:
    """Return what the user's own file sets in a table, such as `alias`, by its keys."""
    table = read(user_file()).get(section)
    return [str(key) for key in table] if isinstance(table, dict) else []


def find(table: Table, keys: "Sequence[str]") -> object | None:
    """Return what a file holds under some keys, whatever it is, or None."""
    value: object = table
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def checked(setting: Setting, name: str, value: object, path: bytes) -> Value:
    """Return a value once it is known to be of the setting's kind.

    Raises:
        ConfigError: it is not.
    """
    if setting.kind == "words":
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            return [str(word) for word in value]
        raise ConfigError(path, f"{name} is no list of words")
    if not isinstance(value, str):
        raise ConfigError(path, f"{name} is no text")
    if setting.choices and value not in setting.choices:
        raise ConfigError(path, f"{name} is one of {', '.join(setting.choices)}")
    return value


def parsed(name: str, given: "Sequence[str]") -> Value:
    """Return the value that words of a command line give a setting.

    Raises:
        NoSettingError: there is no such setting.
        ValueRefusedError: it cannot have that value.
    """
    setting = setting_of(name)
    if setting is None:
        raise NoSettingError(name)
    if setting.kind == "words" and given:
        return list(given)
    if len(given) != 1:
        raise ValueRefusedError(name, "has one value")
    if setting.choices and given[0] not in setting.choices:
        raise ValueRefusedError(name, f"is one of {', '.join(setting.choices)}")
    return given[0]


class GivenWithCommand:
    """Lets settings of the form NAME=VALUE hold before those of all files, for a while.

    Entering raises `NoSettingError` or `ValueRefusedError` where one is none.
    """

    __slots__ = ("_before", "_settings")

    def __init__(self, settings: "Sequence[str]") -> None:
        self._settings = settings
        self._before = 0

    def __enter__(self) -> None:
        """Let them hold from here on."""
        self._before = len(_given)
        # None holds if one is refused.
        _given.extend([_split(word) for word in self._settings])

    def __exit__(self, *_raised: object) -> None:
        """Let them hold no longer."""
        del _given[self._before :]


def _split(word: str) -> tuple[str, Value]:
    name, sign, value = word.partition("=")
    setting = setting_of(name)
    if setting is not None and not sign:
        raise ValueRefusedError(name, "needs a value: NAME=VALUE")
    if setting is None or setting.kind != "words":
        return name, parsed(name, [value])
    import shlex

    try:
        return name, parsed(name, shlex.split(value))
    except ValueError as error:
        raise ValueRefusedError(name, f"is no list of words: {error}") from error


def _files(control: bytes | None, setting: Setting) -> list[bytes]:
    files = [user_file()]
    if control is not None and setting.file == "either":
        files.insert(0, repository_file(control))
    return files
