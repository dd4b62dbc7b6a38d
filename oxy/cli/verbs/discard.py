"""`oxy discard`: throw local edits away (spec: command-line; working-copy, W38)."""

from __future__ import annotations

import os

from oxy.actions.discard import discard
from oxy.cli.choosing import named
from oxy.cli.front import UsageError
from oxy.cli.given import add_paths, paths_of
from oxy.cli.listing import Shower
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.discard import Discarded
    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Make tracked files what they were in the state that they were made from: edits,\n"
        "deletions, renames and modes are thrown away. `oxy undo` brings them back. New files\n"
        "stay; `oxy clean` removes them."
    )
    parser.usage = "oxy discard PATH... | --hunk N [PATH...] | --all [options]"
    add_paths(parser, "throw away what differs here")
    parser.add_argument("--all", dest="everything", action="store_true", help="everywhere")
    parser.add_argument(
        "--hunk",
        dest="hunks",
        metavar="N",
        action="append",
        help="only this hunk of `oxy hunks`, or N.M, its part M; again, or 1,2, for more",
    )
    parser.epilog = (
        "example:\n  oxy discard --hunk 2 README.md\n\n"
        "exit codes:\n  0 fine   1 nothing to discard\n"
        "  2 no such path or hunk, or a file is in the way\n"
        "  3 no repository, or a file that changed meanwhile"
    )


def run(args: Namespace, out: Output) -> int:
    """Throw it away."""
    is_given = bool(args.paths or args.paths_from is not None)
    if args.everything and (is_given or args.hunks):
        message = "--all goes with neither paths nor --hunk"
        raise UsageError(message)
    if not (is_given or args.hunks or args.everything):
        message = "paths or hunks are needed; --all discards every edit"
        raise UsageError(message)
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        paths = tuple(paths_of(args, copy))
        done = discard(copy, paths, named(args.hunks) if args.hunks else None)
        tell(out, Shower(copy.root), done)
    return int(not done.snapshot.changes)


def tell(out: Output, shower: Shower, done: Discarded) -> None:
    """Tell what was thrown away, and what was left."""
    changes = done.snapshot.changes
    if out.as_json:
        out.record(
            {
                "changes": [shower.record(change) for change in changes],
                "left": [shower.record(change) for change in done.left],
            }
        )
        return
    for change in done.left:
        why = "is new: `oxy clean` removes it"
        if change.item is not None:
            why = "is untracked: `oxy track` takes it in"
        out.line("left: ", shower.path(change.path), " ", why)
    if not changes:
        out.line("nothing to discard")
        return
    out.line("discarded; `oxy undo` brings it back")
    for change in changes:
        out.line(*shower.line(change))
