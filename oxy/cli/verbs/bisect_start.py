"""`oxy bisect start`: begin to look for a change (spec: command-line, states S39)."""

from __future__ import annotations

import os

from oxy.actions.bisect import start
from oxy.cli.searching import write
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Look for the change that made something bad: from a state that is bad and others\n"
        "that are good, go to states in between, each of which halves what is left, and let\n"
        "`oxy bisect good`, `bad`, `skip` or `run` say what they are. Local edits go along."
    )
    parser.add_argument("bad", nargs="?", metavar="BAD", help="a state that is bad")
    parser.add_argument("good", nargs="*", metavar="GOOD", help="states that are good")
    parser.epilog = (
        "example:\n  oxy bisect start main v1.0\n\n"
        "exit codes:\n  0 fine\n"
        "  2 a search goes on, no such state, no change can be it, or a file is in the way\n"
        "  3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Begin."""
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        bad = None if args.bad is None else os.fsencode(args.bad)
        search = start(copy, bad, [os.fsencode(state) for state in args.good])
    write(out, search)
