"""The arguments of one verb, read by argparse (spec: command-line, L1, L3).

For help and for what is not well-formed; the rest is read by `oxy.cli.reading`.
"""

from __future__ import annotations

import argparse  # noqa: TID253 - this module is loaded for it

from oxy.cli.front import UsageError, declare_common

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from _typeshed import SupportsWrite

WIDTH = 88


class HelpWanted(Exception):  # noqa: N818 - a request, not an error
    """The user asked for help, which is written as any other text is."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Parser(argparse.ArgumentParser):
    """argparse that writes nothing and ends nothing itself."""

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments.

        Raises:
            UsageError: always.
        """
        words = message.removeprefix("unrecognized arguments: ").split()
        near: list[str] = []
        if len(words) < len(message.split()):
            from difflib import get_close_matches

            options = [word for word in words if word.startswith("--")]
            for word in options:
                near += get_close_matches(word, self._option_string_actions)
            message = f"not understood: {' '.join(words)}"
        raise UsageError(message, self.prog.removeprefix("oxy "), tuple(near))

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Ask for the help to be written.

        Raises:
            HelpWanted: always.
        """
        del file
        raise HelpWanted(self.format_help())

    def read(self, words: list[str]) -> argparse.Namespace:
        """Return what words say; options may stand anywhere among the others.

        Raises:
            UsageError: they say nothing.
            HelpWanted: they ask for help.
        """
        try:
            return self.parse_args(words)
        except UsageError as refused:
            if any(action.nargs == argparse.PARSER for action in self._actions):
                raise
            # That takes words of one kind from one place only: `commit a -m Why b` is no more.
            try:
                return self.parse_intermixed_args(words)
            except UsageError:
                raise refused from None

    def _get_formatter(self) -> argparse.HelpFormatter:
        # Without a width argparse imports shutil, at every argument that is added: 5 ms.
        return argparse.RawDescriptionHelpFormatter(self.prog, width=WIDTH)


def parser_of(name: str, configure: Callable[[argparse.ArgumentParser], None]) -> Parser:
    """Return the parser of one verb, with the options that all verbs have."""
    parser = Parser(prog=f"oxy {name}", allow_abbrev=False, add_help=False)
    configure(parser)
    declare_common(parser)
    return parser
