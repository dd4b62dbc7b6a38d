"""`oxy bookmark`: movable names for states (spec: command-line, states S17)."""

from __future__ import annotations

import os

from oxy.actions.bookmarks import create, delete, held, move, rename
from oxy.actions.naming import resolve
from oxy.actions.words import HERE_NAME
from oxy.cli.clock import stamp
from oxy.cli.front import UsageError
from oxy.cli.names import record_of, row_of
from oxy.repo.refs import BOOKMARK, REMOTE
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy.repo.repository import Repository


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "List the bookmarks; the one that the working copy is on has a star.\n"
        "Or make one for a state, move one, rename one, or delete one. No change is lost by it."
    )
    parser.usage = (
        "oxy bookmark [NAME [STATE] | --move NAME STATE | -m OLD NEW | -d NAME] [options]"
    )
    parser.add_argument("name", nargs="?", help="make this bookmark")
    parser.add_argument("state", nargs="?", help="for this state (the working copy's base)")
    parser.add_argument(
        "-a", "--all", action="store_true", help="list those of other repositories too"
    )
    doing = parser.add_mutually_exclusive_group()
    doing.add_argument("-d", "--delete", metavar="NAME", help="delete one")
    doing.add_argument("--move", nargs=2, metavar=("NAME", "STATE"), help="move one")
    doing.add_argument("-m", "--rename", nargs=2, metavar=("OLD", "NEW"), help="rename one")
    parser.epilog = (
        "example:\n  oxy bookmark experiment main\n\n"
        "exit codes:\n  0 fine   2 no such name or state, or not allowed   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """List or write bookmarks."""
    other = args.delete or args.move or args.rename
    if other and args.name:
        message = "a bookmark is made, or another is moved, renamed or deleted"
        raise UsageError(message)
    with opened(os.getcwdb()) as repository:
        if args.name or other:
            write(args, repository)
            return
        kinds = (BOOKMARK, REMOTE) if args.all else (BOOKMARK,)
        for each in (each for kind in kinds for each in held(repository, kind)):
            if out.as_json:
                out.record(record_of(each) | {"current": each.is_current})
            else:
                out.line("* " if each.is_current else "  ", *row_of(each))


def write(args: Namespace, repository: Repository) -> None:
    """Do what the arguments say to a bookmark."""
    if args.delete:
        name = os.fsencode(args.delete)
        delete(repository, stamp(f"bookmark -d {args.delete}"), name)
    elif args.rename:
        old, new = map(os.fsencode, args.rename)
        rename(repository, stamp(f"bookmark -m {' '.join(args.rename)}"), old, new)
    elif args.move:
        name, called = map(os.fsencode, args.move)
        state = resolve(repository, called).state
        move(repository, stamp(f"bookmark --move {' '.join(args.move)}"), name, state)
    else:
        called = HERE_NAME if args.state is None else os.fsencode(args.state)
        state = resolve(repository, called).state
        create(repository, stamp(f"bookmark {args.name}"), os.fsencode(args.name), state)
