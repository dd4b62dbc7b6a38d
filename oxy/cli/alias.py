"""Commands of the user's own: words for words, no shell (spec: command-line, L34)."""

from __future__ import annotations

from oxy.actions.config import names_in, text
from oxy.actions.settings import setting_of
from oxy.cli.commands import COMMANDS
from oxy.repo.userfile import ConfigError, user_file


def expanded(words: list[str]) -> list[str] | None:
    """Return the words that a line stands for whose first word is an alias; None if it is none.

    An alias stands for a command of oxy, never for another alias.

    Raises:
        ConfigError: it stands for none, or its words cannot be read.
    """
    name = words[0]
    if setting_of(f"alias.{name}") is None:
        return None
    line = text(None, f"alias.{name}")
    if line is None:
        return None
    return [*words_of(name, line), *words[1:]]


def words_of(name: str, line: str) -> list[str]:
    """Return the words of an alias, the first a command.

    Raises:
        ConfigError: it stands for none, or its words cannot be read.
    """
    import shlex

    try:
        meant = shlex.split(line)
    except ValueError as error:
        raise ConfigError(user_file(), f"alias.{name}: {error}") from error
    if not meant or meant[0] not in COMMANDS:
        what = meant[0] if meant else ""
        raise ConfigError(
            user_file(), f"alias.{name} begins with '{what}', which is no command"
        )
    return meant


def aliases() -> list[str]:
    """Return the names of all aliases."""
    return names_in("alias")
