"""`oxy unrecord`: take changes out of a state (spec: command-line, states S10)."""

from __future__ import annotations

import os

from oxy.actions.show import entry_of
from oxy.actions.unrecord import unrecord
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
        "Take changes out of the state that you are on, with what they did to the files.\n"
        "The store keeps them: `oxy pick` brings them back, and so does `oxy undo`. To have\n"
        "what a change did as local edits, see `oxy uncommit`; to record its inverse for\n"
        "everybody, `oxy revert`."
    )
    parser.add_argument(
        "changes", nargs="+", metavar="CHANGE", help="a change id, or a name for its newest"
    )
    parser.add_argument(
        "--with-dependents", action="store_true", help="take what depends on them too"
    )
    parser.add_argument("--dry-run", action="store_true", help="only tell what would go")
    parser.epilog = (
        "example:\n  oxy unrecord 3f2ab84c\n\n"
        "exit codes:\n  0 fine\n  2 no such change, others depend on it, or a file is in the"
        " way\n  3 no repository, or it moved meanwhile"
    )


def run(args: Namespace, out: Output) -> None:
    """Take them out."""
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        done, along = unrecord(
            copy,
            [os.fsencode(change) for change in args.changes],
            with_dependents=args.with_dependents,
            dry_run=args.dry_run,
        )
        entries = [entry_of(copy.repository, change) for change in along]
        shower = Shower(copy.root)
    if out.as_json:
        out.record(record_of(shower, done) | {"along": [entry.id.hex() for entry in entries]})
        return
    write(out, shower, ("unrecorded", "unrecord"), done, "from")
    for entry in entries:
        out.line("along with it: ", *summary_of(entry))
