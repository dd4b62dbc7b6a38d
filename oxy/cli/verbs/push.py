"""`oxy push`: let another repository have what is here (spec: command-line, sync SY8)."""

from __future__ import annotations

import os

from oxy.actions.push import Request, push
from oxy.actions.remotes import meant
from oxy.cli.hooks import before
from oxy.cli.outcome import counted
from oxy.cli.output import Styled
from oxy.repo.refs import BOOKMARK, TAG
from oxy.sync.wish import DELETED, MADE
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.push import Pushed
    from oxy.cli.output import Output
    from oxy.cli.records import Record
    from oxy.worktree.workcopy import WorkingCopy


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Move bookmarks of another repository to what yours of the same names hold, make tags\n"
        "there, and delete bookmarks there. What was never seen here is never overwritten:\n"
        "then nothing moves."
    )
    parser.add_argument(
        "remote", nargs="?", metavar="REMOTE", help="a remote, or where one is (the upstream)"
    )
    parser.add_argument(
        "bookmarks", nargs="*", metavar="BOOKMARK", help="which (the one that you are on)"
    )
    parser.add_argument(
        "-u", "--upstream", action="store_true", help="let yours follow those from now on"
    )
    parser.add_argument(
        "--tag", metavar="NAME", action="append", default=[], help="make this tag there"
    )
    parser.add_argument(
        "--delete",
        metavar="NAME",
        action="append",
        default=[],
        help="delete this bookmark there, if it holds what you saw last",
    )
    parser.add_argument("--dry-run", action="store_true", help="only tell what would move")
    parser.epilog = (
        "example:\n  oxy push ../theirs main\n  oxy push -u origin topic --tag v1.0\n\n"
        "exit codes:\n  0 fine   2 no such name, or an address that is refused\n"
        "  3 no repository, it is being written or has changes not seen here, the connection\n"
        "    was lost, or a hook said no"
    )


def facts(copy: WorkingCopy, request: Request) -> dict[str, bytes | list[Record]]:
    """Return what a hook is told."""
    current = copy.here.bookmark
    others = request.tags or request.deleted or current is None
    bookmarks = request.bookmarks or (() if others else (current,))
    told: dict[str, bytes | list[Record]] = {
        "remote": meant(copy.repository, request.remote, current).name,
        "bookmarks": [{"name": name} for name in bookmarks],
    }
    if request.tags:
        told["tags"] = [{"name": name} for name in request.tags]
    if request.deleted:
        told["deleted"] = [{"name": name} for name in request.deleted]
    return told


def run(args: Namespace, out: Output) -> None:
    """Push."""
    request = Request(
        None if args.remote is None else os.fsencode(args.remote),
        tuple(map(os.fsencode, args.bookmarks)),
        tuple(map(os.fsencode, args.tag)),
        tuple(map(os.fsencode, args.delete)),
        args.upstream,
        args.dry_run,
    )
    with working_copy(os.getcwdb()) as copy:
        if not args.dry_run:
            before(copy.root, "before-push", lambda: facts(copy, request))
        done = push(copy, request, out.progress())
    if out.as_json:
        out.record(record(done, dry_run=args.dry_run))
        return
    tell(out, done, dry_run=args.dry_run)


def tell(out: Output, done: Pushed, *, dry_run: bool) -> None:
    """Tell what was pushed, or would be."""
    pushed, deleted = ("would push ", "would delete ") if dry_run else ("pushed ", "deleted ")
    for each in done.moved:
        if each.was == DELETED:
            out.line(deleted, Styled("heading", each.name))
            continue
        what = "tag " if each.kind == TAG else ""
        made = " (new)" if each.was == MADE else ""
        told = [counted(each.came)] if each.came or not each.went else []
        told += [f"{counted(each.went)} taken back"] if each.went else []
        out.line(pushed, what, Styled("heading", each.name), made, ": ", ", ".join(told))
    if not done.moved:
        out.line("nothing to push: all of it is there")


def record(done: Pushed, *, dry_run: bool) -> Record:
    """Return what was pushed for JSON."""
    moved: list[Record] = [
        {"name": each.name, "created": each.was == MADE, "came": each.came, "went": each.went}
        for each in done.moved
        if each.kind == BOOKMARK and each.was != DELETED
    ]
    tags: list[Record] = [{"name": each.name} for each in done.moved if each.kind == TAG]
    deleted: list[Record] = [{"name": each.name} for each in done.moved if each.was == DELETED]
    return {
        "remote": done.remote,
        "done": not dry_run,
        "came": done.came,
        "bookmarks": moved,
        "tags": tags,
        "deleted": deleted,
    }
