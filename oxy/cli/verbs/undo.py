"""`oxy undo`: take the last step back (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.undo import undo
from oxy.cli.steps import tell
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments: none but the common ones."""
    parser.description = (
        "Take back the last operation that is not taken back yet: `oxy op log` lists them.\n"
        "Files stay as they are where a commit is undone; they go back where a command that\n"
        "wrote them is, such as a switch, a merge, `mv` or `rm`."
    )
    parser.epilog = (
        "example:\n  oxy undo\n\n"
        "exit codes:\n  0 fine   2 nothing to undo, or a file is in the way   3 no repository"
    )


def run(_args: Namespace, out: Output) -> None:
    """Take it back."""
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        done = undo(copy)
    tell(out, "undone", done)
