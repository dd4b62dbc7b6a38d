"""`oxy subrepo remove`: pin a subrepo no more (spec: command-line; working-copy, W51)."""

from __future__ import annotations

import os

from oxy.actions.paths import inside
from oxy.actions.subrepos import remove
from oxy.model.digest import short
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Record that a subrepo is none any more. What is on disk stays there."
    parser.add_argument("path", metavar="DIR")
    parser.add_argument("-m", "--message", help="the message of the change")
    parser.epilog = (
        "example:\n  oxy subrepo remove lib\n\n"
        "exit codes:\n  0 fine   2 no such subrepo   3 no repository, or the bookmark moved"
    )


def run(args: Namespace, out: Output) -> None:
    """Take it out."""
    here = os.getcwdb()
    with working_copy(here) as copy:
        path = inside(copy.root, here, os.fsencode(args.path))
        message = None if args.message is None else os.fsencode(args.message)
        change = remove(copy, path, message)
    if out.as_json:
        out.record({"id": change.hex(), "path": path})
    else:
        out.line("recorded ", short(change), ": ", path, " is no subrepo any more")
