"""`oxy workspace add`: make another working copy (spec: command-line; states, S70, S71)."""

from __future__ import annotations

import os

from oxy.actions.naming import resolve
from oxy.actions.words import HERE_NAME
from oxy.actions.workspaces import Wish, add, workspaces
from oxy.cli.clock import stamp
from oxy.cli.workspaces import line_of, record_of
from oxy.repo.refs import BOOKMARK
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy.repo.repository import Repository


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Make another working copy of the store in a directory: with files, a state, and a\n"
        "bookmark to be on of its own. Changes, bookmarks, tags and the operation log are\n"
        "shared. `oxy undo` takes back what was done in the working copy that it is run in."
    )
    parser.add_argument("directory", metavar="DIR", help="where; made if missing")
    parser.add_argument(
        "state", nargs="?", metavar="STATE", help="what to begin with (what you are at)"
    )
    parser.add_argument(
        "-c", dest="create", metavar="NAME", help="make a bookmark there, and be on it"
    )
    parser.add_argument("--name", metavar="NAME", help="what it is called (as DIR)")
    parser.epilog = (
        "example:\n  oxy workspace add ../review topic\n\n"
        "exit codes:\n  0 fine   2 no such state, or DIR is not empty   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Make it."""
    with opened(os.getcwdb()) as repository:
        does = stamp(f"workspace add {args.directory}")
        made, went = add(repository, does, wish(args, repository))
        if out.as_json:
            record = record_of(repository, made)
            out.record({**record, "written": went.written})
            return
        out.line(*line_of(repository, made)[1:])
        if made.target.bookmark is not None and args.create is None:
            for other in workspaces(repository):
                if other.name != made.name and other.target.bookmark == made.target.bookmark:
                    out.note("the workspace ", other.name, " is on this bookmark too")


def wish(args: Namespace, repository: Repository) -> Wish:
    """Return what is to be made."""
    called = HERE_NAME if args.state is None else os.fsencode(args.state)
    named = resolve(repository, called)
    kind, bookmark = named.ref or (None, None)
    if args.create is not None:
        bookmark = os.fsencode(args.create)
    elif kind != BOOKMARK:
        bookmark = None
    name = None if args.name is None else os.fsencode(args.name)
    directory = os.fsencode(args.directory)
    return Wish(directory, name, named.state, bookmark, creates=args.create is not None)
