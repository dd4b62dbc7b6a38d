"""The arguments of a well-formed command, read without argparse (spec: command-line, L25).

What is plain is read here as argparse reads it. Help, a mistake and whatever is not plain are
left to argparse (`oxy.cli.arguments`), so that it alone words them.
"""

from __future__ import annotations

from oxy.cli.declared import ALL_THAT_FOLLOWS, LEAST, Declarations, UnsettledError
from oxy.cli.front import declare_common

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from oxy.cli.declared import Argument, Group
else:

    class Namespace:
        """What a command was given, by the names of its arguments."""


_SEPARATOR = "--"


def read(configure: Callable[[Declarations], None], words: list[str]) -> Namespace | None:
    """Return what words say to a verb with these declarations; None if argparse has to tell.

    Cost: 0.1 ms; argparse takes 8.
    """
    declarations = Declarations()
    try:
        configure(declarations)
        declare_common(declarations)
        declarations.prove()
        return _Reading(declarations).read(words)
    except UnsettledError:
        return None


def _is_plain(word: str) -> bool:
    return not word.startswith("-") or word == "-"


class _Reading:
    """One reading: what has been given so far, and the words without a dash."""

    __slots__ = ("_given", "_groups", "_options", "_plain", "_seen", "_words")

    def __init__(self, declarations: Declarations) -> None:
        self._given = Namespace()
        self._groups = declarations.groups
        self._options: dict[str, Argument] = {}
        self._plain: list[Argument] = []
        self._seen: set[Argument] = set()
        self._words: list[str] = []
        for argument in declarations.arguments:
            if argument.is_option:
                self._options |= dict.fromkeys(argument.names, argument)
            else:
                self._plain.append(argument)
            if argument.action != "help":
                vars(self._given).setdefault(argument.dest, argument.default)

    def read(self, words: list[str]) -> Namespace:
        """Return what the words say.

        Raises:
            UnsettledError: argparse has to tell.
        """
        self._take(words)
        self._share_out()
        self._prove()
        return self._given

    def _take(self, words: list[str]) -> None:
        """Read the options, and put the other words aside."""
        if words.count(_SEPARATOR) > 1 or words[-1:] == [_SEPARATOR]:
            raise UnsettledError
        takes_all = any(argument.nargs == ALL_THAT_FOLLOWS for argument in self._plain)
        waiting = words[::-1]
        while waiting:
            word = waiting.pop()
            if _is_plain(word):
                self._words.append(word)
            elif word != _SEPARATOR:
                self._option(word, waiting)
                continue
            if takes_all and _SEPARATOR in words:
                raise UnsettledError
            if takes_all or word == _SEPARATOR:
                self._words += waiting[::-1]
                break

    def _option(self, word: str, waiting: list[str]) -> None:
        """Read one word that begins with a dash, and the values that follow it."""
        name, sign, value = word.partition("=")
        if name in self._options:
            if sign and (not value or self._options[name].is_flag):
                raise UnsettledError
            self._give(name, value, waiting)
            return
        if word.startswith("--"):
            raise UnsettledError
        # Flags of one letter, the last of which may be an option with its value.
        name, value = word[:2], word[2:]
        while name in self._options and self._options[name].is_flag and value:
            self._give(name, "", waiting)
            name, value = "-" + value[0], value[1:]
        if value.startswith("="):
            raise UnsettledError
        self._give(name, value, waiting)

    def _give(self, name: str, value: str, waiting: list[str]) -> None:
        argument = self._options.get(name)
        if argument is None or argument.action == "help" or value == _SEPARATOR:
            raise UnsettledError
        self._seen.add(argument)
        given = vars(self._given)
        before = given[argument.dest]
        if argument.action == "store_true":
            after: object = True
        elif argument.action == "store_const":
            after = argument.const
        elif argument.action == "count":
            after = (before if isinstance(before, int) else 0) + 1
        else:
            after = self._values(argument, value, waiting)
            if argument.action == "append":
                after = [*(before if isinstance(before, list) else ()), after]
        given[argument.dest] = after

    @staticmethod
    def _values(argument: Argument, value: str, waiting: list[str]) -> object:
        """Return what an option is given, in its own word or in those that follow."""
        nargs = argument.nargs
        if isinstance(nargs, int):
            words = [waiting.pop() for _ in range(nargs) if waiting]
            if value or len(words) < nargs or not all(map(_is_plain, words)):
                raise UnsettledError
            return [argument.value(word) for word in words]
        words = [value] if value else []
        while waiting and _is_plain(waiting[-1]) and (nargs == "+" or not words) and not value:
            words.append(waiting.pop())
        if words:
            values = [argument.value(word) for word in words]
            return values if nargs == "+" else values[0]
        if nargs != "?":
            raise UnsettledError
        const = argument.const
        return argument.value(const) if isinstance(const, str) else const

    def _share_out(self) -> None:
        """Give the other words to the arguments in order, as many as the rest spares."""
        spare = len(self._words) - sum(LEAST[argument.nargs] for argument in self._plain)
        if spare < 0:
            raise UnsettledError
        waiting = self._words[::-1]
        for argument in self._plain:
            takes = LEAST[argument.nargs]
            if argument.nargs is not None and spare:
                more = min(spare, 1) if argument.nargs == "?" else spare
                takes, spare = takes + more, spare - more
            words = [waiting.pop() for _ in range(takes)]
            vars(self._given)[argument.dest] = _held(argument, words)
        if waiting:
            raise UnsettledError

    def _prove(self) -> None:
        """Prove that what must be given is, and once where it excludes others."""
        for argument in self._options.values():
            if argument.is_required and argument not in self._seen:
                raise UnsettledError
        groups: list[Group] = [a.group for a in self._seen if a.group is not None]
        for group in self._groups:
            if groups.count(group) > 1 or (group.is_required and group not in groups):
                raise UnsettledError


def _held(argument: Argument, words: list[str]) -> object:
    """Return what an argument without a dash holds."""
    if argument.nargs is None:
        return argument.value(words[0])
    if not words and (argument.nargs == "?" or argument.default is not None):
        return argument.default
    values = [argument.value(word) for word in words]
    return values[0] if argument.nargs == "?" else values
