"""`oxy pick`: take single changes from elsewhere (spec: command-line, states S9)."""

from __future__ import annotations

import os

from oxy.actions.pick import pick
from oxy.actions.show import entry_of
from oxy.cli.changes import summary_of
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
        "Add single changes, and those that they depend on, to the state that you are on.\n"
        "They stay the same changes: a later merge has them once."
    )
    parser.add_argument(
        "changes", nargs="+", metavar="CHANGE", help="a change id, or a name for its newest"
    )
    parser.add_argument("--dry-run", action="store_true", help="only tell what would come")
    parser.epilog = (
        "example:\n  oxy pick 3f2ab84c\n\n"
        "exit codes:\n  0 fine, with conflicts or without\n"
        "  2 no such change, or a file is in the way   3 no repository, or it moved meanwhile"
    )


def run(args: Namespace, out: Output) -> None:
    """Pick."""
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        called = [os.fsencode(change) for change in args.changes]
        done, along = pick(copy, called, dry_run=args.dry_run)
        entries = [entry_of(copy.repository, change) for change in along]
        shower = Shower(copy.root)
    if out.as_json:
        out.record(record_of(shower, done) | {"along": [entry.id.hex() for entry in entries]})
    elif not done.outcome.came:
        out.line("nothing to pick: all of it is here")
    else:
        write(out, shower, ("picked", "pick"), done, "into")
        for entry in entries:
            out.line("along with it: ", *summary_of(entry))
