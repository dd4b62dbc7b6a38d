"""`oxy sparse set`: have the files that patterns fit (spec: command-line, L84)."""

from __future__ import annotations

import os

from oxy.actions.sparse import thin
from oxy.cli.thinning import CODES, add_patterns, tell
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Have the files in the working copy that patterns fit, and remove the others, which\n"
        "stay in every state: a commit leaves them as they are. Where a file with edits would\n"
        "go, nothing is done."
    )
    add_patterns(parser)
    parser.epilog = f"example:\n  oxy sparse set /src '/*.md'\n\n{CODES}"


def run(args: Namespace, out: Output) -> None:
    """Write and remove files."""
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        tell(out, thin(copy, [os.fsencode(each) for each in args.patterns]))
