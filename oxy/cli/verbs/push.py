"""`oxy push`: let another repository have what is here (spec: command-line, sync SY8)."""

from __future__ import annotations

import os

from oxy.actions.push import push
from oxy.actions.remotes import meant
from oxy.cli.hooks import before
from oxy.cli.outcome import counted
from oxy.cli.output import Styled
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy.cli.records import Record
    from oxy.worktree.workcopy import WorkingCopy


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Move bookmarks of another repository on this machine to what yours of the same\n"
        "names hold. What was never seen here is never overwritten: then nothing moves."
    )
    parser.add_argument(
        "remote", nargs="?", metavar="REMOTE", help="a remote, or a directory (the only remote)"
    )
    parser.add_argument(
        "bookmarks", nargs="*", metavar="BOOKMARK", help="which (the one that you are on)"
    )
    parser.epilog = (
        "example:\n  oxy push ../theirs main\n\n"
        "exit codes:\n  0 fine   2 no such bookmark\n"
        "  3 no repository, it is being written or has changes not seen here, or a hook said no"
    )


def facts(
    copy: WorkingCopy, remote: bytes | None, bookmarks: tuple[bytes, ...]
) -> dict[str, bytes | list[Record]]:
    """Return what a hook is told."""
    current = () if copy.here.bookmark is None else (copy.here.bookmark,)
    return {
        "remote": meant(copy.repository, remote).name,
        "bookmarks": [{"name": name} for name in bookmarks or current],
    }


def run(args: Namespace, out: Output) -> None:
    """Push."""
    remote = None if args.remote is None else os.fsencode(args.remote)
    bookmarks = tuple(map(os.fsencode, args.bookmarks))
    with working_copy(os.getcwdb()) as copy:
        before(copy.root, "before-push", lambda: facts(copy, remote, bookmarks))
        done = push(copy, remote, bookmarks, out.progress())
    if out.as_json:
        moved: list[Record] = [
            {"name": each.name, "created": each.is_new, "came": each.came, "went": each.went}
            for each in done.moved
        ]
        out.record({"remote": done.remote, "came": done.came, "bookmarks": moved})
        return
    for each in done.moved:
        made = " (new)" if each.is_new else ""
        told = [counted(each.came)] if each.came or not each.went else []
        told += [f"{counted(each.went)} taken back"] if each.went else []
        out.line("pushed ", Styled("heading", each.name), made, ": ", ", ".join(told))
    if not done.moved:
        out.line("nothing to push: all of it is there")
