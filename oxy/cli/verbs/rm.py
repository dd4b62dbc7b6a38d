"""`oxy rm`: delete tracked files (spec: command-line; working-copy, W41)."""

from __future__ import annotations

import os

from oxy.actions.rm import Removed, rm
from oxy.actions.tracking import untrack
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
        "Delete tracked files; the next commit records it. Files with edits are refused, and\n"
        "new files stay. `oxy discard` brings back what is not recorded yet."
    )
    add_paths(parser, "files, or directories with all that is tracked below them")
    parser.add_argument(
        "--keep", action="store_true", help="leave the files on disk, as `oxy untrack`"
    )
    parser.epilog = (
        "example:\n  oxy rm --keep notes.txt\n\n"
        "exit codes:\n  0 fine   2 no such path, nothing tracked there, or a file with edits\n"
        "  3 no repository, or a file that changed meanwhile"
    )


def run(args: Namespace, out: Output) -> None:
    """Delete them."""
    required(args)
    with working_copy(os.getcwdb()) as copy:
        shower = Shower(copy.root)
        paths = paths_of(args, copy)
        if args.keep:
            done = Removed(tuple(path for path, _ in untrack(copy, paths)), ())
        else:
            done = rm(copy, paths)
        if out.as_json:
            out.record(
                {
                    "removed": [{"path": shower.path(path)} for path in done.paths],
                    "left": [{"path": shower.path(path)} for path in done.left],
                    "kept": bool(args.keep),
                }
            )
            return
        for path in done.paths:
            out.line("untracked: " if args.keep else "removed: ", shower.path(path))
        for path in done.left:
            out.line("left: ", shower.path(path), " is new: `oxy clean` removes it")
