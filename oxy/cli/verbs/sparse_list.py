"""`oxy sparse list`: the patterns of what is here (spec: command-line, L84)."""

from __future__ import annotations

import os

from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "List the patterns of the files that the working copy has, the last that fits counts.\n"
        "Nothing is listed where it has every file."
    )
    parser.epilog = "example:\n  oxy sparse list\n\nexit codes:\n  0 fine   3 no repository"


def run(_args: Namespace, out: Output) -> None:
    """List them."""
    with working_copy(os.getcwdb()) as copy:
        for line in copy.sparse.lines if copy.sparse is not None else ():
            if out.as_json:
                out.record({"pattern": line})
            else:
                out.line(line)
