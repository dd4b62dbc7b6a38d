"""`oxy shelve`: put local edits aside (spec: command-line, states S36)."""

from __future__ import annotations

import os

from oxy.actions.shelve import drop, shelve
from oxy.actions.shelves import shelves
from oxy.cli.dates import readable, rfc3339
from oxy.cli.front import UsageError
from oxy.cli.listing import Shower
from oxy.cli.output import Styled
from oxy.model.change import subject
from oxy.model.digest import short
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.shelve import Shelved
    from oxy.actions.shelves import Shelf
    from oxy.cli.output import Output
    from oxy.cli.records import Record
    from oxy.worktree.workcopy import WorkingCopy


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Put aside how the files differ from the state that they were made from, and make\n"
        "them those of that state again; `oxy unshelve` brings it back. Or list what is put\n"
        "aside."
    )
    parser.usage = "oxy shelve [NAME] [-m MESSAGE] | --list | -d NAME [options]"
    parser.add_argument("name", nargs="?", metavar="NAME", help="what to call it (a number)")
    parser.add_argument("-m", dest="message", metavar="MESSAGE", help="what it is")
    doing = parser.add_mutually_exclusive_group()
    doing.add_argument("--list", action="store_true", help="list what is put aside")
    doing.add_argument("-d", "--delete", metavar="NAME", help="delete a shelf")
    parser.epilog = (
        "example:\n  oxy shelve half-done\n\n"
        "exit codes:\n  0 fine   1 nothing to put aside   2 not to be called so, or no such\n"
        "  3 no repository, no author, or a file that changed meanwhile"
    )


def run(args: Namespace, out: Output) -> int:
    """Put aside, list or delete."""
    is_other = args.list or args.delete is not None
    if is_other and (args.name is not None or args.message is not None):
        message = "edits are put aside, or shelves are listed or deleted"
        raise UsageError(message)
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        if args.list:
            for shelf in shelves(copy.repository):
                show(out, shelf)
            return 0
        if args.delete is not None:
            tell_dropped(out, drop(copy.repository, os.fsencode(args.delete)))
            return 0
        name, why = (
            None if given is None else os.fsencode(given).strip()
            for given in (args.name, args.message)
        )
        done = shelve(copy, name, why)
        tell(out, copy, done)
    return int(done.shelf is None)


def show(out: Output, shelf: Shelf) -> None:
    """Show a shelf of the list."""
    if out.as_json:
        out.record(record_of(shelf))
        return
    first = subject(shelf.header.message)
    date = readable(shelf.header.time)
    out.line(shelf.name, " ", Styled("id", short(shelf.id)), f" {date} ", first)


def record_of(shelf: Shelf) -> Record:
    """Return a shelf for JSON."""
    return {
        "name": shelf.name,
        "id": shelf.id.hex(),
        "date": rfc3339(shelf.header.time),
        "message": shelf.header.message,
    }


def tell_dropped(out: Output, shelf: Shelf) -> None:
    """Tell what was deleted."""
    if out.as_json:
        out.record(record_of(shelf))
    else:
        out.line("deleted shelf ", shelf.name, ": ", Styled("id", short(shelf.id)))


def tell(out: Output, copy: WorkingCopy, done: Shelved) -> None:
    """Tell what was put aside."""
    shower = Shower(copy.root)
    changes, shelf = done.snapshot.changes, done.shelf
    if out.as_json:
        out.record(
            {
                "name": None if shelf is None else shelf.name,
                "id": None if shelf is None else shelf.id.hex(),
                "changes": [shower.record(change) for change in changes],
                "left_out": shower.records_left_out(done.snapshot),
            }
        )
        return
    shower.write_left_out(out, done.snapshot)
    if shelf is None:
        out.line("nothing to put aside")
        return
    out.line("put aside as ", Styled("heading", shelf.name))
    for change in changes:
        out.line(*shower.line(change))
