"""Choosing among hunks (spec: command-line, hunks; working-copy, W18).

For every command that records a part of what differs, or of what a change did: `-i` asks hunk
by hunk on the terminal, `--hunk N` names hunks as `oxy hunks` with the same paths numbers them.
"""

from __future__ import annotations

import sys

from oxy.cli.front import UsageError
from oxy.errors import RequestError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from oxy.actions.commit import Choose
    from oxy.actions.split import Choose as ChooseDone
    from oxy.cli.asking import Chooser
    from oxy.cli.output import Output
    from oxy.worktree.hunks import Pick


class NoTerminalError(RequestError):
    """Nobody can be asked."""

    def __init__(self) -> None:
        super().__init__("standard input is no terminal, so nobody can be asked about hunks")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments by which a verb lets its user choose hunks."""
    parser.add_argument("-i", dest="interactive", action="store_true", help="ask for each hunk")
    parser.add_argument(
        "--hunk",
        dest="hunks",
        metavar="N",
        action="append",
        help="take this hunk of `oxy hunks`, or N.M, its part M; again, or 1,2, for more",
    )


def chooser_of(args: Namespace, out: Output) -> Choose | None:
    """Return what chooses as the arguments say; None takes everything.

    Raises:
        UsageError: the arguments do not go together, or name no hunk.
        NoTerminalError: somebody is to be asked who is not there.
    """
    picks = picks_of(args)
    if picks is not None:
        from oxy.worktree.hunks import selected

        return lambda copy, snapshot: selected(copy, snapshot, picks)
    return asker_of(out) if args.interactive else None


def chooser_of_done(args: Namespace, out: Output) -> ChooseDone | None:
    """Return what chooses of what a change did; None takes everything.

    Raises: as `chooser_of`.
    """
    picks = picks_of(args)
    if picks is not None:
        return lambda _: picks
    return asker_of(out).among if args.interactive else None


def picks_of(args: Namespace) -> list[Pick] | None:
    """Return the hunks that `--hunk` names, if it is given.

    Raises:
        UsageError: -i is given too, or no hunk is named.
    """
    if args.hunks is None:
        return None
    if args.interactive:
        message = "-i and --hunk do not go together"
        raise UsageError(message)
    return named(args.hunks)


def named(given: Sequence[str]) -> list[Pick]:
    """Return the hunks that words name, several in one with commas.

    Raises:
        UsageError: a word names none.
    """
    return [pick_of(word) for words in given for word in words.split(",")]


def asker_of(out: Output) -> Chooser:
    """Return what asks on the terminal.

    Raises:
        UsageError: the output is to be JSON.
        NoTerminalError: nobody is there to be asked.
    """
    if out.as_json:
        message = "-i and --json do not go together"
        raise UsageError(message)
    if sys.stdin is None or not sys.stdin.isatty():
        raise NoTerminalError
    from oxy.cli.asking import Chooser

    return Chooser(out)


def pick_of(word: str) -> Pick:
    """Return the hunk, or the part of one, that a word names.

    Raises:
        UsageError: it names none.
    """
    from oxy.worktree.hunks import WHOLE, Pick

    hunk, dot, part = word.partition(".")
    if not hunk.isdecimal() or (dot and not part.isdecimal()):
        message = f"--hunk takes a number, or N.M, not '{word}'"
        raise UsageError(message)
    if dot and int(part) == WHOLE:
        message = f"parts count from 1, not '{word}'"
        raise UsageError(message)
    return Pick(int(hunk), int(part) if dot else WHOLE)
