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
    right: Value
    if setting.kind == "words":
        if not (
            isinstance(value, list) and value and all(isinstance(word, str) for word in value)
        ):
            raise ConfigError(path, f"{name} is no list of words")
        right = [str(word) for word in value]
    elif isinstance(value, str):
        right = value
    else:
        raise ConfigError(path, f"{name} is no text")
    why = fault(setting, right)
    if why is not None:
        raise ConfigError(path, f"{name} {why}")
    return right


def fault(setting: Setting, value: Value) -> str | None:
    """Return why a setting cannot have a value of the right kind, or None."""
    whole = value if isinstance(value, str) else "".join(value)
    if "\0" in whole:
        # No program, no file and no author takes one.
        return "may hold no NUL"
    if setting.choices and whole not in setting.choices:
        return f"is one of {', '.join(setting.choices)}"
    if setting.name.startswith("user.") and ("\n" in whole or "\r" in whole):
        return "is one line"
    return None


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
        value: Value = _listed(given[0]) if len(given) == 1 else list(given)
    elif len(given) == 1:
        value = given[0]
    else:
        raise ValueRefusedError(name, "has one value")
    why = fault(setting, value)
    if why is not None:
        raise ValueRefusedError(name, why)
    return value


def _listed(word: str) -> list[str]:
    """Return what a word alone stands for: a list as TOML writes it, or itself."""
    if not word.startswith("["):
        return [word]
    import tomllib

    try:
        found = tomllib.loads(f"it = {word}")["it"]
    except tomllib.TOMLDecodeError:
        return [word]
    is_list = isinstance(found, list) and all(isinstance(each, str) for each in found)
    return found if is_list else [word]


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
