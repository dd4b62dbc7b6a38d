"""`oxy unshelve`: take up what was put aside (spec: command-line, states S37)."""

from __future__ import annotations

import os

from oxy.actions.shelve import unshelve
from oxy.cli.output import Styled
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Make what was put aside local edits on the state that you are on. Edits that are\n"
        "there go along. What is in conflict is named, and then nothing is done."
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="which one (the newest)")
    parser.epilog = (
        "example:\n  oxy unshelve half-done\n\n"
        "exit codes:\n  0 fine   2 no such shelf, or it does not fit here   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Take it up."""
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        shelf, went = unshelve(copy, None if args.name is None else os.fsencode(args.name))
    if out.as_json:
        out.record(
            {
                "name": shelf.name,
                "id": shelf.id.hex(),
                "written": went.written,
                "removed": went.removed,
            }
        )
        return
    moved = f": {went.written} written, {went.removed} removed"
    out.line("took up ", Styled("heading", shelf.name), moved)
