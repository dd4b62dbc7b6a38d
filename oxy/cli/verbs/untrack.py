"""`oxy untrack`: leave paths alone though they are on disk (spec: working-copy, W4)."""

from __future__ import annotations

import os

from oxy.actions.tracking import untrack
from oxy.cli.given import add_paths, paths_of, required
from oxy.cli.listing import Shower
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.tracking import Said
    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Leave paths alone from now on; the files stay on disk. The next commit records that\n"
        "what was tracked there is gone. `oxy track` says otherwise again."
    )
    add_paths(parser, "what to leave alone")
    parser.epilog = (
        "example:\n  oxy untrack notes.txt\n\n"
        "exit codes:\n  0 fine   2 no such path   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Note it."""
    required(args)
    with working_copy(os.getcwdb()) as copy:
        show(out, Shower(copy.root), untrack(copy, paths_of(args, copy, tells=True)))


def show(out: Output, shower: Shower, done: list[Said]) -> None:
    """Show what was said of paths."""
    for path, is_new in done:
        if out.as_json:
            out.record({"path": shower.path(path), "tracked": False, "changed": is_new})
        else:
            out.line("untracked: " if is_new else "untracked already: ", shower.path(path))
