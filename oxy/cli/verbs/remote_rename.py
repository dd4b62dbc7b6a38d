"""`oxy remote rename`: call a remote by another name (spec: command-line, sync SY61)."""

from __future__ import annotations

import os

from oxy.actions.remotes import rename
from oxy.cli.clock import stamp
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Call a remote by another name. What its bookmarks were moves along, and yours that\n"
        "follow it go on to. `oxy undo` takes it back."
    )
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    parser.epilog = (
        "example:\n  oxy remote rename origin upstream\n\n"
        "exit codes:\n  0 fine   2 no such remote, not a name, or taken   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Rename it."""
    old, new = os.fsencode(args.old), os.fsencode(args.new)
    with opened(os.getcwdb()) as repository:
        rename(repository, stamp(f"remote rename {args.old} {args.new}"), old, new)
    if out.as_json:
        out.record({"name": new, "was": old})
