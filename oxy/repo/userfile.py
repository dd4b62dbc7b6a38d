"""The user's own configuration, as far as a file of it goes (spec: command-line, L31).

What a setting may be is above, in `oxy.actions.config`.
"""

import os
from oxy.typed import Final

from oxy.errors import StateError

FILE: Final = b"config.toml"
SIZE: Final = 1 << 20
"""Bytes of a configuration file."""

DEPTH: Final = 16
"""Parts of a key in a configuration file."""

_PART: Final = (
    rb"""(?:(?<![A-Za-z0-9_-])[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+"""
)
_DEEP_KEY: Final = rb"(?:%b\.[ \t]*+){%d}%b" % (_PART, DEPTH, _PART)

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
        ConfigError: it cannot be read, is over 1 MiB, or is not TOML.
    """
    try:
        with open(path, "rb", opener=_opened) as file:
            content = file.read(SIZE + 1) or b""
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise ConfigError(path, error.strerror or str(error)) from error
    if len(content) > SIZE:
        why = "it is over 1 MiB"
        raise ConfigError(path, why)
    return parsed(path, content)


def parsed(path: bytes, content: bytes) -> Table:
    """Return what the bytes of a file say.

    Raises:
        ConfigError: they are not TOML, or nested as no settings are.

    Cost: linear: of a key of thousands of parts `tomllib` would keep every beginning.
    """
    import re

    # Most have no such file, and this takes longer to load than a commit to record.
    import tomllib

    if re.search(_DEEP_KEY, content):
        why = f"a key has more than {DEPTH} parts"
        raise ConfigError(path, why)
    try:
        table: Table = tomllib.loads(content.decode())
    except ValueError as error:
        raise ConfigError(path, f"not TOML: {error}") from error
    except RecursionError as error:
        why = "it is nested too deeply"
        raise ConfigError(path, why) from error
    return table


def _opened(path: str, flags: int) -> int:
    # A pipe that somebody put there is not waited for.
    return os.open(path, flags | os.O_NONBLOCK)
