"""`oxy init`: make a repository (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.init import MAIN, init

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Make an empty repository, with the bookmark `main`. Files that are there stay as\n"
        "they are, and are recorded by the first commit."
    )
    parser.add_argument(
        "directory", nargs="?", default=".", metavar="DIR", help="where (here); made if missing"
    )
    parser.epilog = (
        "example:\n  oxy init project\n\n"
        "exit codes:\n  0 fine   3 there is a repository already, or DIR cannot be written"
    )


def run(args: Namespace, out: Output) -> None:
    """Make the repository."""
    root = init(os.fsencode(args.directory))
    if out.as_json:
        out.record({"path": root, "bookmark": MAIN})
    else:
        out.line("made a repository in ", root)
