"""`oxy restore`: have files as another state has them (spec: command-line; W40)."""

from __future__ import annotations

import os

from oxy.actions.restoring import restore
from oxy.cli.given import add_paths, paths_of, required
from oxy.cli.listing import Shower
from oxy.cli.output import Styled
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Write files as a state has them; how they then differ shows as local edits, and\n"
        "nothing is recorded. Below a directory, files that the state lacks are removed.\n"
        "Files with edits are never written over. `oxy discard` takes it back."
    )
    add_paths(parser, "which files, or directories")
    parser.add_argument(
        "--from",
        dest="state",
        metavar="STATE",
        required=True,
        help="the state to take them from",
    )
    parser.epilog = (
        "example:\n  oxy restore src/limits.py --from 3f2ab84c\n\n"
        "exit codes:\n  0 fine   2 no such path or state, or edits in the way\n"
        "  3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Write them."""
    required(args)
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        shower = Shower(copy.root)
        done = restore(copy, paths_of(args, copy), os.fsencode(args.state))
        written, removed = ([shower.path(path) for path in paths] for paths in done)
    if out.as_json:
        out.record(
            {
                "written": [{"path": path} for path in written],
                "removed": [{"path": path} for path in removed],
            }
        )
        return
    for path in written:
        out.line(Styled("added", "written"), " ", path)
    for path in removed:
        out.line(Styled("removed", "removed"), " ", path)
    if not written and not removed:
        out.line("nothing differs")
