"""`oxy op restore`: names as they were after an operation (spec: command-line, states S26)."""

from __future__ import annotations

import os

from oxy.actions.restore import restore
from oxy.cli.number import whole
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Make bookmarks, tags and the base of the working copy what they were right after an\n"
        "operation; 0 is before the first. Files on disk stay as they are. This is an\n"
        "operation of its own, so `oxy undo` takes it back."
    )
    parser.add_argument("operation", type=whole, help="its number, as `oxy op log` shows it")
    parser.epilog = (
        "example:\n  oxy op restore 12\n\n"
        "exit codes:\n  0 fine   2 no such operation   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Go back to an operation."""
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        plan = restore(copy, args.operation)
    count = len(plan.moves)
    if out.as_json:
        out.record({"operation": plan.operation, "moved": count})
    else:
        out.line(f"{count} {'name' if count == 1 else 'names'} moved")
