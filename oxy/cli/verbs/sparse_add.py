"""`oxy sparse add`: have more files (spec: command-line, L84)."""

from __future__ import annotations

import os

from oxy.actions.sparse import added
from oxy.cli.thinning import CODES, add_patterns, tell
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Have the files that more patterns fit, as well as those that are here."
    )
    add_patterns(parser)
    parser.epilog = f"example:\n  oxy sparse add /docs\n\n{CODES}"


def run(args: Namespace, out: Output) -> None:
    """Write and remove files."""
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        tell(out, added(copy, [os.fsencode(each) for each in args.patterns]))
