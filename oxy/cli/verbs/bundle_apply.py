"""`oxy bundle apply`: take in what a file holds (spec: command-line, sync SY27)."""

from __future__ import annotations

import os

from oxy.actions.applying import apply
from oxy.cli.bundlefile import reading
from oxy.cli.landed import tell
from oxy.cli.listing import Shower
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Take in the changes of a bundle. Its bookmarks are called NAME@bundle then;\n"
        "with --bookmark your own bookmark of that name takes in what it holds."
    )
    parser.add_argument("file", metavar="FILE", help="the file; - is standard input")
    parser.add_argument(
        "--bookmark",
        action="append",
        default=[],
        dest="bookmarks",
        metavar="NAME",
        help="unite this one with your own of the same name, made if there is none",
    )
    parser.add_argument("--dry-run", action="store_true", help="only tell what would come")
    parser.epilog = (
        "example:\n  oxy bundle apply week.oxb --bookmark main\n\n"
        "exit codes:\n  0 fine, with conflicts or without\n"
        "  2 no such bookmark, or a file is in the way\n"
        "  3 no repository, or what the bundle builds on is not here\n"
        "  4 something in it is not what it claims to be; nothing of it was kept"
    )


def run(args: Namespace, out: Output) -> None:
    """Take it in."""
    bookmarks = tuple(map(os.fsencode, args.bookmarks))
    # Files are named from where the command was started, as the bundle's is.
    with reading(args.file) as file, working_copy(os.getcwdb()) as copy:
        progress = out.progress()
        landed = apply(copy, file.read, progress, bookmarks=bookmarks, dry_run=args.dry_run)
        tell(out, Shower(copy.root), landed, dry_run=args.dry_run)
