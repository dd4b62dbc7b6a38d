"""`oxy remote add`: call another repository by a name (spec: command-line, sync SY12)."""

from __future__ import annotations

import os

from oxy.actions.remotes import add
from oxy.cli.clock import stamp
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Call another repository by a name. Its bookmarks are BOOKMARK@NAME here once they\n"
        "have been fetched. It is a directory, on another machine that ssh reaches, or what a\n"
        "server of HTTP has (`oxy help clone` tells all forms)."
    )
    parser.add_argument("name", metavar="NAME")
    parser.add_argument(
        "address",
        metavar="WHERE",
        help="a directory, ssh://[USER@]HOST[:PORT]/PATH, or [USER@]HOST:PATH",
    )
    parser.epilog = (
        "example:\n  oxy remote add grace ../grace\n\n"
        "exit codes:\n  0 fine   2 not a name, taken, or an address that is refused\n"
        "  3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Add it."""
    name, given = os.fsencode(args.name), os.fsencode(args.address)
    with opened(os.getcwdb()) as repository:
        does = stamp(f"remote add {args.name} {args.address}")
        address = add(repository, does, name, given)
    if out.as_json:
        out.record({"name": name, "address": address})
