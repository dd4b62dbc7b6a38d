"""What the user set: oxy's configuration files (spec: command-line, L21).

The repository's own file comes first, then the user's. Nothing that travels with a
repository is read: `.oxy` is never tracked or received.
"""

import os
from oxy.typed import Final

from oxy.errors import StateError

_REPOSITORY: Final = b"config.toml"


class ConfigError(StateError):
    """A configuration file cannot be read, or is not what it should be."""

    def __init__(self, path: bytes, why: str) -> None:
        super().__init__(f"configuration {os.fsdecode(path)}: {why}")
        self.path = path
        self.why = why


def setting(control: bytes | None, section: str, name: str) -> str | None:
    """Return one text that is set, or None.

    Args:
        control: the `.oxy` directory, where there is one; None reads the user's file alone.
        section: such as `user`, or `mergetool.meld` for a table in a table.
        name: such as `email`.

    Raises:
        ConfigError: a file is not TOML, or what is set is no text.
    """
    for path in _files(control):
        found = _in_file(path, section, name)
        if found is not None:
            return found
    return None


def _files(control: bytes | None) -> list[bytes]:
    files = [] if control is None else [os.path.join(control, _REPOSITORY)]
    home = os.environb.get(b"XDG_CONFIG_HOME") or os.path.expanduser(b"~/.config")
    return [*files, os.path.join(home, b"oxy", b"config.toml")]


def _in_file(path: bytes, section: str, name: str) -> str | None:
    try:
        with open(path, "rb") as file:
            text = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(path, error.strerror or str(error)) from error
    # Most have no such file, and this takes longer to load than a commit to record.
    import tomllib

    try:
        known: dict[str, object] = tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(path, f"not TOML: {error}") from error
    value: object = known
    for key in (*section.split("."), name):
        value = value.get(key) if isinstance(value, dict) else None
    if value is not None and not isinstance(value, str):
        raise ConfigError(path, f"{section}.{name} is no text")
    return value
