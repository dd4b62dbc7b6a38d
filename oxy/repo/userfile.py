"""The user's own configuration, as far as a file of it goes (spec: command-line, L31).

What a setting may be is above, in `oxy.actions.config`.
"""

import os
from oxy.typed import Final

from oxy.errors import StateError

FILE: Final = b"config.toml"

Table = dict[str, object]


class ConfigError(StateError):
    """A configuration file cannot be read, or is not what it should be."""

    def __init__(self, path: bytes, why: str) -> None:
        super().__init__(f"configuration {os.fsdecode(path)}: {why}")
        self.path = path
        self.why = why


def user_directory() -> bytes:
    """Return where programs keep what a user configures."""
    return os.environb.get(b"XDG_CONFIG_HOME") or os.path.expanduser(b"~/.config")


def user_file() -> bytes:
    """Return where the user's own file is, or would be."""
    return os.path.join(user_directory(), b"oxy", FILE)


def read(path: bytes) -> Table:
    """Return what a file says; nothing where there is none.

    Raises:
        ConfigError: it cannot be read, or is not TOML.
    """
    try:
        with open(path, "rb") as file:
            content = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise ConfigError(path, error.strerror or str(error)) from error
    # Most have no such file, and this takes longer to load than a commit to record.
    import tomllib

    try:
        table: Table = tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(path, f"not TOML: {error}") from error
    return table
