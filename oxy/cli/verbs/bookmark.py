"""`oxy bookmark`: movable names for states (spec: command-line; states, S17, S55, S56)."""

from __future__ import annotations

import os

from oxy.actions.bookmarks import create, delete, describe, move, rename
from oxy.actions.grammar import quoted
from oxy.actions.holding import holdings
from oxy.actions.naming import resolve
from oxy.actions.remotes import follow
from oxy.actions.words import HERE_NAME
from oxy.cli.clock import stamp
from oxy.cli.front import UsageError
from oxy.cli.names import holding_record, write_holdings
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
        "List the bookmarks: what each holds, how many changes that are, and how many it has\n"
        "that a remote's of the same name has not, and the other way round. The one that the\n"
        "working copy is on has a star. Or make one for a state, move one, rename one, delete\n"
        "one, say what one is for, or which remote's of its name it follows: that is what\n"
        "`oxy pull` and `oxy push` mean. No change is lost, and `oxy undo` takes it back."
    )
    parser.usage = (
        "oxy bookmark [NAME [STATE] | --move NAME STATE | -m OLD NEW | -d NAME |\n"
        "                    --describe NAME TEXT | --upstream NAME REMOTE] [options]"
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
    doing.add_argument(
        "--describe", nargs=2, metavar=("NAME", "TEXT"), help="say what one is for"
    )
    doing.add_argument(
        "--upstream",
        nargs=2,
        metavar=("NAME", "REMOTE"),
        help="let one follow a remote's; '' for none",
    )
    parser.add_argument(
        "--backwards", action="store_true", help="let --move take changes away from it"
    )
    parser.epilog = (
        "example:\n  oxy bookmark experiment main\n\n"
        "exit codes:\n  0 fine   2 no such name or state, or not allowed   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """List or write bookmarks."""
    others = (args.delete, args.move, args.rename, args.describe, args.upstream)
    other = any(each is not None for each in others)
    if other and args.name is not None:
        message = "a bookmark is made, or another is moved, renamed, deleted or described"
        raise UsageError(message)
    if args.backwards and not args.move:
        message = "--backwards belongs to --move"
        raise UsageError(message)
    with opened(os.getcwdb()) as repository:
        if args.name is not None or other:
            write(args, repository, out)
            return
        kinds = (BOOKMARK, REMOTE) if args.all else (BOOKMARK,)
        found = (each for kind in kinds for each in holdings(repository, kind))
        if out.as_json:
            for each in found:
                out.record(holding_record(each))
        else:
            write_holdings(out, list(found))


def write(args: Namespace, repository: Repository, out: Output) -> None:
    """Do what the arguments say to a bookmark."""
    if args.delete is not None:
        name = os.fsencode(args.delete)
        left = delete(repository, stamp(f"bookmark -d {args.delete}"), name)
        if left:
            what = "1 change" if left == 1 else f"{left} changes"
            out.note(f"no other bookmark or tag holds {what} of it: `oxy undo` brings it back")
    elif args.rename:
        old, new = map(os.fsencode, args.rename)
        rename(repository, stamp(f"bookmark -m {' '.join(args.rename)}"), old, new)
        tell_of_quotes(out, new)
    elif args.move:
        name, called = map(os.fsencode, args.move)
        state = resolve(repository, called).state
        does = stamp(f"bookmark --move {' '.join(args.move)}")
        move(repository, does, name, state, backwards=args.backwards)
    elif args.describe:
        name, text = map(os.fsencode, args.describe)
        describe(repository, stamp(f"bookmark --describe {args.describe[0]}"), name, text)
    elif args.upstream:
        name, remote = map(os.fsencode, args.upstream)
        does = stamp(f"bookmark --upstream {' '.join(args.upstream)}".rstrip())
        follow(repository, does, name, remote or None)
    else:
        called = HERE_NAME if args.state is None else os.fsencode(args.state)
        state = resolve(repository, called).state
        create(repository, stamp(f"bookmark {args.name}"), os.fsencode(args.name), state)
        tell_of_quotes(out, os.fsencode(args.name))


def tell_of_quotes(out: Output, name: bytes) -> None:
    """Tell how a name is written that the grammar of states would read otherwise (S53)."""
    written = quoted(name)
    if written != name:
        out.note("where a state is named, this one is ", written)
