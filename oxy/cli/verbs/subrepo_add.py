"""`oxy subrepo add`: pin a repository (spec: command-line; working-copy, W51)."""

from __future__ import annotations

import os

from oxy.actions.paths import inside
from oxy.actions.subrepos import add
from oxy.model.digest import short
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Record a repository of oxy in the working copy as a subrepo: a change pins the state\n"
        "that it is at. With SOURCE it is cloned from there first. It stays a repository of\n"
        "its own; what is recorded in it moves no pin until `oxy subrepo record`."
    )
    parser.add_argument("path", metavar="DIR", help="where it is, or is to be")
    parser.add_argument(
        "source", nargs="?", metavar="SOURCE", help="the directory of a repository to clone"
    )
    parser.add_argument("-m", "--message", help="the message of the change")
    parser.epilog = (
        "example:\n  oxy subrepo add lib ../lib\n\n"
        "exit codes:\n  0 fine   2 it cannot be one   3 no repository, or the bookmark moved"
    )


def run(args: Namespace, out: Output) -> None:
    """Pin it."""
    here = os.getcwdb()
    with working_copy(here) as copy:
        path = inside(copy.root, here, os.fsencode(args.path))
        source = None if args.source is None else os.fsencode(args.source)
        message = None if args.message is None else os.fsencode(args.message)
        change = add(copy, source, path, message, out.progress())
    if out.as_json:
        out.record({"id": change.hex(), "path": path})
    else:
        out.line("recorded ", short(change), ": ", path, " is a subrepo")
