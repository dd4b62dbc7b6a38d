"""`oxy bisect reset`: end a search and go back (spec: command-line, states S39)."""

from __future__ import annotations

import os

from oxy.actions.bisect import reset
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments: none but the common ones."""
    parser.description = "End the search, and go back to where it began."
    parser.epilog = (
        "example:\n  oxy bisect reset\n\n"
        "exit codes:\n  0 fine   2 no search, or a file is in the way   3 no repository"
    )


def run(_args: Namespace, out: Output) -> None:
    """End the search."""
    with working_copy(os.getcwdb()) as copy:
        bookmark, went = reset(copy)
    if out.as_json:
        out.record({"bookmark": bookmark, "written": went.written, "removed": went.removed})
        return
    where = ("back on ", bookmark) if bookmark is not None else ("back where it began",)
    out.line(*where, f": {went.written} written, {went.removed} removed")
