"""`oxy sparse reset`: have all files again (spec: command-line, L84)."""

from __future__ import annotations

import os

from oxy.actions.sparse import thin
from oxy.cli.thinning import CODES, tell
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Have every file of the state in the working copy."
    parser.epilog = f"example:\n  oxy sparse reset\n\n{CODES}"


def run(_args: Namespace, out: Output) -> None:
    """Write the files that are away."""
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        tell(out, thin(copy, None))
