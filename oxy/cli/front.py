"""The options that all verbs have, before the verb or behind it (spec: command-line, L1).

No argparse: what stands before the verb is read here.
"""

from __future__ import annotations

from oxy.errors import RequestError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from oxy.cli.declared import Declarations

COLOURS = ("auto", "always", "never")
FRONT = ("--color", "--json", "--no-pager", "--help", "--version")


class UsageError(RequestError):
    """The words of the command line make no command.

    `command` is the one that they are for, and `near` are options that look like a wrong one.
    """

    def __init__(self, message: str, command: str = "", near: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.command = command
        self.near = near


class Front:
    """What was said before the verb, and the words from the verb on."""

    __slots__ = ("as_json", "color", "directories", "no_pager", "settings", "words")

    def __init__(self, arguments: list[str]) -> None:
        self.as_json = False
        self.color: str | None = None
        self.no_pager = False
        self.settings: list[str] = []
        self.directories: list[str] = []
        self.words = list(arguments)
        while self.words and self.words[0].startswith("-") and self._takes(self.words[0]):
            pass

    def _takes(self, word: str) -> bool:
        """Take one option with its value from the front of the words; False if it is a verb."""
        if word in {"-h", "--help", "--version"}:
            return False
        name, _, given = word.partition("=")
        if word == "--json":
            self.as_json = True
            del self.words[0]
        elif word == "--no-pager":
            self.no_pager = True
            del self.words[0]
        elif word.startswith("-c"):
            self.settings.append(self._value("-c", word[2:]))
        elif name == "--color":
            self.color = self._value(name, given)
            if self.color not in COLOURS:
                message = f"--color takes {', '.join(COLOURS)}, not '{self.color}'"
                raise UsageError(message)
        elif word.startswith("-C"):
            self.directories.append(self._value("-C", word[2:]))
        else:
            from difflib import get_close_matches

            message = f"no option '{word}' stands before a command"
            raise UsageError(message, near=tuple(get_close_matches(name, FRONT)))
        return True

    def _value(self, name: str, given: str) -> str:
        del self.words[0]
        if given:
            return given
        if not self.words:
            message = f"{name} needs a value"
            raise UsageError(message)
        return self.words.pop(0)


def declare_common(parser: ArgumentParser | Declarations) -> None:
    """Declare the options that all verbs have."""
    common = parser.add_argument_group("common options")
    common.add_argument("-h", "--help", action="help", help="show this help")
    common.add_argument(
        "-C",
        dest="directories",
        metavar="DIR",
        action="append",
        default=[],
        help="run as if started in DIR",
    )
    common.add_argument(
        "--json", dest="as_json", action="store_true", help="write JSON, one object a line"
    )
    common.add_argument(
        "--color", choices=COLOURS, default=None, help="when to use colour (auto)"
    )
    common.add_argument("--no-pager", dest="no_pager", action="store_true", help="page nothing")
