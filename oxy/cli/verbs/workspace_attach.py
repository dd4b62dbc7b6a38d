"""`oxy workspace attach`: join a moved working copy (spec: command-line; states, S75)."""

from __future__ import annotations

import os

from oxy.actions.workspaces import attach
from oxy.cli.clock import stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Join the workspace that you are in to its store again, where either was moved to\n"
        "another directory."
    )
    parser.add_argument(
        "store", nargs="?", metavar="DIR", help="the directory of the store (where it was)"
    )
    parser.epilog = (
        "example:\n  oxy workspace attach ../project\n\n"
        "exit codes:\n  0 fine   2 it is no workspace, or another has its name\n"
        "  3 there is no store, or it does not know it"
    )


def run(args: Namespace, out: Output) -> None:
    """Join it."""
    given = None if args.store is None else os.fsencode(args.store)
    done = attach(os.getcwdb(), stamp("workspace attach"), given)
    if out.as_json:
        out.record({"name": done.name, "path": done.path})
    else:
        out.line("attached ", done.name, " at ", done.path)
