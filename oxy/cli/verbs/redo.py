"""`oxy redo`: take an undo back (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.redo import redo
from oxy.cli.steps import tell
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments: none but the common ones."""
    parser.description = (
        "Do again what `oxy undo` took back last, and one step more each time. Once something\n"
        "else was done there is nothing to redo; `oxy op restore` still goes anywhere."
    )
    parser.epilog = (
        "example:\n  oxy undo\n  oxy redo\n\n"
        "exit codes:\n  0 fine   2 nothing to redo, or a file is in the way   3 no repository"
    )


def run(_args: Namespace, out: Output) -> None:
    """Do it again."""
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        done = redo(copy)
    tell(out, "redone", done)
