"""`oxy track`: have paths tracked whatever the ignore rules say (spec: working-copy, W4)."""

from __future__ import annotations

import os

from oxy.actions.tracking import track
from oxy.cli.given import add_paths, paths_of, required
from oxy.cli.listing import Shower
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Have the next commit record paths though they are ignored, over 10 MiB, or were said\n"
        "to be untracked. A directory stands for all that is or comes to be below it."
    )
    add_paths(parser, "what to track")
    parser.epilog = (
        "example:\n  oxy track build/keep.txt\n\n"
        "exit codes:\n  0 fine   2 no such path, or one that may not be recorded\n"
        "  3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Note it."""
    required(args)
    with working_copy(os.getcwdb()) as copy:
        shower = Shower(copy.root)
        for path, is_new in track(copy, paths_of(args, copy, tells=True)):
            if out.as_json:
                out.record({"path": shower.path(path), "tracked": True, "changed": is_new})
            else:
                out.line("tracked: " if is_new else "tracked already: ", shower.path(path))
