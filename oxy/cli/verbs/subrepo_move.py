"""`oxy subrepo move`: move a subrepo (spec: command-line; working-copy, W51)."""

from __future__ import annotations

import os

from oxy.actions.paths import inside
from oxy.actions.subrepos import move
from oxy.model.digest import short
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Move a subrepo with its directory, and record it as a change."
    parser.add_argument("old", metavar="DIR", help="where it is")
    parser.add_argument("new", metavar="DIR", help="where it is to be")
    parser.add_argument("-m", "--message", help="the message of the change")
    parser.epilog = (
        "example:\n  oxy subrepo move lib vendor/lib\n\n"
        "exit codes:\n  0 fine   2 no such subrepo, or it cannot be there\n"
        "  3 no repository, or the bookmark moved"
    )


def run(args: Namespace, out: Output) -> None:
    """Move it."""
    here = os.getcwdb()
    with working_copy(here) as copy:
        old, new = (inside(copy.root, here, os.fsencode(path)) for path in (args.old, args.new))
        message = None if args.message is None else os.fsencode(args.message)
        change = move(copy, old, new, message)
    if out.as_json:
        out.record({"id": change.hex(), "path": new, "from": old})
    else:
        out.line("recorded ", short(change), ": ", old, " is at ", new)
