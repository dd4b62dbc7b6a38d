"""`oxy show`: one change and what it did to files (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.names import holders
from oxy.actions.naming import resolve_change
from oxy.actions.show import entry_of, show
from oxy.actions.words import HERE_NAME
from oxy.cli.changes import record_of, write_entry
from oxy.cli.patch import record_of as record_of_diff
from oxy.cli.patch import write_patch
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show a change: who made it, when and why, and what it did, as a patch.\n"
        "Files are compared in the state that it was recorded in, and in that with it."
    )
    parser.add_argument(
        "change",
        nargs="?",
        help="a change id, git:ID, or a bookmark or tag for its newest (the working copy's)",
    )
    parser.epilog = (
        "example:\n  oxy show 3f2ab84c | git apply\n\n"
        "exit codes:\n  0 fine   2 no such change   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Show the change."""
    with opened(os.getcwdb()) as repository:
        called = HERE_NAME if args.change is None else os.fsencode(args.change)
        change = resolve_change(repository, called)
        entry = entry_of(repository, change)
        diffs = show(repository, change)
        if out.as_json:
            out.record(record_of(entry) | {"files": [record_of_diff(diff) for diff in diffs]})
            return
        write_entry(out, entry, holders(repository).get(change, ()))
        write_patch(out, diffs)
