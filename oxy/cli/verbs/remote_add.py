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
        "Call another repository on this machine by a name. Its bookmarks are BOOKMARK@NAME\n"
        "here once they have been pulled."
    )
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("path", metavar="PATH", help="the directory of the other repository")
    parser.epilog = (
        "example:\n  oxy remote add grace ../grace\n\n"
        "exit codes:\n  0 fine   2 not a name, or taken   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Add it."""
    name, path = os.fsencode(args.name), os.fsencode(args.path)
    with opened(os.getcwdb()) as repository:
        add(repository, stamp(f"remote add {args.name} {args.path}"), name, path)
    if out.as_json:
        out.record({"name": name, "path": os.path.realpath(path)})
