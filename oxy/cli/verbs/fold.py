"""`oxy fold`: one change of several (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.fold import fold
from oxy.cli.rewriting import CODES, add_message, add_trial, message_of, tell
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Record several changes as one, where the first of them stood. It has all their\n"
        "messages as paragraphs; with --into only that one's. Lines that one of them made and\n"
        "another removed are in it no more."
    )
    parser.add_argument("changes", nargs="+", metavar="CHANGE", help="what to make one of")
    parser.add_argument(
        "--into", metavar="CHANGE", help="stand where this one does, and keep its message"
    )
    add_message(parser, "the message")
    add_trial(parser)
    parser.epilog = f"example:\n  oxy fold 91c0de 7ab1f2 --into 3f2ab84c\n\n{CODES}"


def run(args: Namespace, out: Output) -> None:
    """Record them anew."""
    called = [os.fsencode(name) for name in args.changes]
    into = None if args.into is None else os.fsencode(args.into)
    with working_copy(os.getcwdb()) as copy:
        done = fold(copy, called, into, message_of(args.messages), is_trial=args.is_trial)
    tell(out, done, is_trial=args.is_trial)
