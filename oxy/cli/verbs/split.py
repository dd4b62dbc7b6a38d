"""`oxy split`: two changes of one (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.split import Wish, split
from oxy.cli.choosing import add_arguments, chooser_of_done
from oxy.cli.front import UsageError
from oxy.cli.given import add_paths, paths_of
from oxy.cli.rewriting import CODES, add_message, add_trial, message_of, tell
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Record a change as two: first what it did to some files, or some of its hunks there,\n"
        "then the rest. What knows it is recorded anew after both. `oxy hunks --of CHANGE`\n"
        "with the same paths lists the hunks."
    )
    parser.add_argument("change", metavar="CHANGE", help="a change of the state of the files")
    add_paths(parser, "what goes into the first")
    add_arguments(parser)
    add_message(parser, "the message of the first")
    add_trial(parser)
    parser.epilog = f'example:\n  oxy split 3f2ab84c docs -m "Only the words"\n\n{CODES}'


def run(args: Namespace, out: Output) -> None:
    """Record it anew."""
    choose = chooser_of_done(args, out)
    if choose is None and not args.paths and args.paths_from is None:
        rule = "name paths, or choose hunks with -i or --hunk"
        raise UsageError(rule)
    with working_copy(os.getcwdb()) as copy:
        paths = paths_of(args, copy)
        called, message = os.fsencode(args.change), message_of(args.messages)
        done = split(copy, Wish(called, paths, message, args.is_trial, choose))
    tell(out, done, is_trial=args.is_trial)
