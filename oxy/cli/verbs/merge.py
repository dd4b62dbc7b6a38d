"""`oxy merge`: unite the state that one is on with others (spec: command-line, states S8)."""

from __future__ import annotations

import os

from oxy.actions.merge import merge
from oxy.cli.listing import Shower
from oxy.cli.outcome import record_of, write
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Add all changes of other states to the one that you are on. No change is made for\n"
        "it, and the order in which states are merged does not matter. Files in conflict are\n"
        "listed; they hold nobody up."
    )
    parser.add_argument(
        "states", nargs="+", metavar="STATE", help="a bookmark, a tag, or a change id"
    )
    parser.add_argument("--dry-run", action="store_true", help="only tell what would come")
    parser.epilog = (
        "example:\n  oxy merge topic\n\n"
        "exit codes:\n  0 fine, with conflicts or without\n"
        "  2 no such state, or a file is in the way   3 no repository, or it moved meanwhile"
    )


def run(args: Namespace, out: Output) -> None:
    """Merge."""
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        called = [os.fsencode(state) for state in args.states]
        done = merge(copy, called, dry_run=args.dry_run)
        shower = Shower(copy.root)
    if out.as_json:
        out.record(record_of(shower, done))
    elif not done.outcome.came:
        out.line("nothing to merge: all of it is here")
    else:
        write(out, shower, ("merged", "merge"), done, "into")
