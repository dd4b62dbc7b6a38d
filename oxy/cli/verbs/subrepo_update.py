"""`oxy subrepo update`: follow the pins (spec: command-line; working-copy, W53)."""

from __future__ import annotations

import os

from oxy.actions.paths import inside
from oxy.actions.subrepos import update
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Make subrepos what their pins say: one that is missing is cloned from the same place\n"
        "in the directory of a remote, one that lacks the state pulls from its own remotes.\n"
        "Local edits in them go along, or nothing is done there."
    )
    parser.add_argument("paths", nargs="*", metavar="DIR", help="these only")
    parser.epilog = (
        "example:\n  oxy subrepo update lib\n\n"
        "exit codes:\n  0 fine   2 no such subrepo, no source, or edits in the way\n"
        "  3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Update them."""
    here = os.getcwdb()
    with working_copy(here) as copy:
        paths = [inside(copy.root, here, os.fsencode(path)) for path in args.paths]
        done = update(copy, paths, out.progress())
    for each in done:
        if out.as_json:
            written, removed = each.went or (0, 0)
            out.record({"path": each.path, "written": written, "removed": removed})
        elif each.went is None:
            out.line(each.path, " is as pinned")
        else:
            out.line(each.path, " updated")
