"""What a verb declares of its arguments, noted without argparse (spec: command-line, L25).

`Declarations` stands in for the parser that a verb's `configure(parser)` is given. It keeps
what reading needs and forgets what only help shows.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from typing import TypeAlias

    Nargs: TypeAlias = str | int | None

ALL_THAT_FOLLOWS = "A..."
"""What argparse calls PARSER: a word and every word behind it, options or not."""

LEAST: dict[Nargs, int] = {None: 1, "?": 0, "*": 0, "+": 1, ALL_THAT_FOLLOWS: 1}
"""For each `nargs` of an argument without a dash the words that it needs."""

_MANY = {"*", "+", ALL_THAT_FOLLOWS}
_ACTIONS = {"store", "append", "store_true", "store_const", "count", "help"}
_FLAGS = {"store_true", "store_const", "count", "help"}
_SHORT = len("-x")


class UnsettledError(Exception):
    """This is not plain, and left to argparse."""


class Argument:
    """One declaration, as `add_argument` was told."""

    __slots__ = (
        "action",
        "choices",
        "const",
        "convert",
        "default",
        "dest",
        "group",
        "is_required",
        "names",
        "nargs",
    )

    def __init__(self, names: tuple[str, ...], action: str, nargs: Nargs) -> None:
        self.names = names
        self.action = action
        self.nargs = nargs
        self.const: object = None
        self.default: object = None
        self.convert: Callable[[str], object] | None = None
        self.choices: Container[object] | None = None
        self.is_required = False
        self.group: Group | None = None
        longest = next((name for name in names if name.startswith("--")), names[0])
        self.dest = longest.lstrip("-").replace("-", "_") if self.is_option else longest

    @property
    def is_option(self) -> bool:
        """Whether it has a dash."""
        return self.names[0].startswith("-")

    @property
    def is_flag(self) -> bool:
        """Whether it is an option that takes no value."""
        return self.action in _FLAGS

    def value(self, word: str) -> object:
        """Return what one word says.

        Raises:
            UnsettledError: it cannot be converted, or is none of the choices.
        """
        value: object = word
        if self.convert is not None:
            try:
                value = self.convert(word)
            except Exception as error:
                raise UnsettledError from error
        if self.choices is not None and value not in self.choices:
            raise UnsettledError
        return value

    def prove(self) -> None:
        """Prove that it is of a kind that is read here as argparse does.

        Raises:
            UnsettledError: it is not.
        """
        is_checked = self.choices is not None and not self.is_option
        is_plain = self.action in _ACTIONS and not (
            # argparse converts a default that is text, and of a word without a dash checks it.
            (isinstance(self.default, str) and (is_checked or self.convert is not None))
            or (
                self.group is not None
                and self.default is not None
                and self.default is not False
            )
        )
        if not (is_plain and (self._is_plain_option() if self.is_option else self._is_plain())):
            raise UnsettledError

    def _is_plain_option(self) -> bool:
        is_number = isinstance(self.nargs, int) and self.nargs > 1
        is_short = all(name.startswith("--") or len(name) == _SHORT for name in self.names)
        return is_short and (is_number or self.nargs in {None, "?", "+"})

    def _is_plain(self) -> bool:
        return self.nargs in LEAST and self.action == "store" and self.group is None


class Group:
    """Arguments of which one may be given, or must."""

    __slots__ = ("is_required",)

    def __init__(self, *, is_required: bool) -> None:
        self.is_required = is_required


class Declarations:
    """The part of `argparse.ArgumentParser` that declarations use, and of its groups.

    A declaration that is of no kind that is read here raises `UnsettledError`.
    """

    __slots__ = ("_group", "arguments", "description", "epilog", "groups", "usage")

    def __init__(self, above: Declarations | None = None, group: Group | None = None) -> None:
        self.description = self.epilog = self.usage = ""
        self.arguments: list[Argument] = [] if above is None else above.arguments
        self.groups: list[Group] = []
        self._group = group

    def add_argument_group(self, title: str) -> Declarations:
        """Return what notes the arguments that help shows under a title."""
        del title
        return Declarations(self)

    def add_mutually_exclusive_group(self, *, required: bool = False) -> Declarations:
        """Return what notes arguments of which one may be given, or must."""
        group = Group(is_required=required)
        self.groups.append(group)
        return Declarations(self, group)

    def prove(self) -> None:
        """Prove that words without a dash can be shared out without regard to the options.

        argparse shares them out by where options stand, which matters if two take many.

        Raises:
            UnsettledError: they cannot.
        """
        plain = [argument for argument in self.arguments if not argument.is_option]
        if sum(argument.nargs in _MANY for argument in plain) > 1:
            raise UnsettledError

    def add_argument(
        self,
        *names: str,
        action: str = "store",
        nargs: Nargs = None,
        const: object = None,
        default: object = None,
        type: Callable[[str], object] | None = None,  # noqa: A002 - argparse calls it so
        choices: Container[object] | None = None,
        required: bool = False,
        dest: str | None = None,
        **shown: object,
    ) -> None:
        """Note an argument.

        Raises:
            UnsettledError: it is of no kind that is read here.
        """
        if not shown.keys() <= {"help", "metavar"}:
            raise UnsettledError
        argument = Argument(names, action, nargs)
        argument.const = const
        argument.default = False if action == "store_true" else default
        argument.convert = type
        argument.choices = choices
        argument.is_required = required
        argument.group = self._group
        argument.dest = dest or argument.dest
        argument.prove()
        self.arguments.append(argument)
