"""`oxy op log`: every move of a name, newest first (spec: command-line, states S24)."""

from __future__ import annotations

import os

from oxy.actions.oplog import operations
from oxy.cli.number import positive
from oxy.cli.oplog import KINDS, heading, record_of, way
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.oplog import Logged
    from oxy.cli.output import Output
    from oxy.repo.repository import Repository


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show what moved bookmarks, tags and the working copy, newest first.\n"
        "The number of an operation is what `oxy op restore` takes."
    )
    parser.add_argument("-n", type=positive, dest="limit", metavar="N", help="show at most N")
    parser.epilog = "example:\n  oxy op log -n 5\n\nexit codes:\n  0 fine   3 no repository"


def run(args: Namespace, out: Output) -> None:
    """Show the operations."""
    with opened(os.getcwdb()) as repository:
        for each in operations(repository, args.limit):
            if out.as_json:
                out.record(record_of(repository, each))
            else:
                write(out, repository, each)


def write(out: Output, repository: Repository, logged: Logged) -> None:
    """Write an operation for people: a line for it, and one for each name that it moved."""
    out.line(*heading(logged))
    for move in logged.operation.moves:
        name = (" ", move.ref.name) if move.ref.name else ()
        out.line(f"    {KINDS[move.ref.kind]}", *name, ": ", way(repository, move))
