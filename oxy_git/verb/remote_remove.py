"""`oxy git remote remove`: forget a Git remote (spec: git-bridge, GB50)."""

from __future__ import annotations

import os

from oxy.cli.clock import stamp
from oxy.repo.repository import opened
from oxy_git.remote.address import remove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Forget a Git remote, and what its branches were last seen to hold."
    parser.add_argument("name", metavar="NAME")
    parser.epilog = (
        "example:\n  oxy git remote remove origin\n\n"
        "exit codes:\n  0 fine   2 no such remote   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Remove it."""
    with opened(os.getcwdb()) as repository:
        remove(repository, stamp(f"git remote remove {args.name}"), os.fsencode(args.name))
    if out.as_json:
        out.record({"name": args.name})
