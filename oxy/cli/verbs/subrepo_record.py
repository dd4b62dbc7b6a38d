"""`oxy subrepo record`: pin what subrepos are at (spec: command-line; working-copy, W51)."""

from __future__ import annotations

import os

from oxy.actions.paths import inside
from oxy.actions.subrepos import record
from oxy.model.digest import short
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Record the states that subrepos are at, as a change: all that moved, or those that\n"
        "are named. What is not recorded inside one is not in it."
    )
    parser.add_argument("paths", nargs="*", metavar="DIR", help="these only")
    parser.add_argument("-m", "--message", help="the message of the change")
    parser.epilog = (
        "example:\n  oxy subrepo record lib -m 'Take the new parser'\n\n"
        "exit codes:\n  0 fine, also where all are as pinned   2 no such subrepo\n"
        "  3 no repository, or the bookmark moved"
    )


def run(args: Namespace, out: Output) -> None:
    """Pin them."""
    here = os.getcwdb()
    with working_copy(here) as copy:
        paths = [inside(copy.root, here, os.fsencode(path)) for path in args.paths]
        message = None if args.message is None else os.fsencode(args.message)
        change = record(copy, paths, message)
    if out.as_json:
        out.record({"id": None if change is None else change.hex()})
    elif change is None:
        out.line("nothing to record: all subrepos are as pinned")
    else:
        out.line("recorded ", short(change))
