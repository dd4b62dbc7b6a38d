"""`oxy split`: two changes of one (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.paths import inside
from oxy.actions.split import split
from oxy.cli.rewriting import CODES, add_message, add_trial, message_of, tell
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Record a change as two: what it did to some files first, then the rest. What knows\n"
        "it is recorded anew after both."
    )
    parser.add_argument("change", metavar="CHANGE", help="a change of the state of the files")
    parser.add_argument("paths", nargs="+", metavar="PATH", help="what goes into the first")
    add_message(parser, "the message of the first")
    add_trial(parser)
    parser.epilog = f'example:\n  oxy split 3f2ab84c docs -m "Only the words"\n\n{CODES}'


def run(args: Namespace, out: Output) -> None:
    """Record it anew."""
    here = os.getcwdb()
    with working_copy(here) as copy:
        paths = [inside(copy.root, here, os.fsencode(path)) for path in args.paths]
        message = message_of(args.messages)
        done = split(copy, os.fsencode(args.change), paths, message, is_trial=args.is_trial)
    tell(out, done, is_trial=args.is_trial)
