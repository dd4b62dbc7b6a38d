"""`oxy remote remove`: forget a remote (spec: command-line, sync SY12)."""

from __future__ import annotations

import os

from oxy.actions.remotes import remove
from oxy.cli.clock import stamp
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Forget a remote and what its bookmarks were. No change is lost by it, and `oxy undo`\n"
        "brings it back."
    )
    parser.add_argument("name", metavar="NAME")
    parser.epilog = (
        "example:\n  oxy remote remove grace\n\n"
        "exit codes:\n  0 fine   2 no such remote   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Remove it."""
    name = os.fsencode(args.name)
    with opened(os.getcwdb()) as repository:
        remove(repository, stamp(f"remote remove {args.name}"), name)
    if out.as_json:
        out.record({"name": name})
