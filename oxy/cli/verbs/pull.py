"""`oxy pull`: take in what another repository holds (spec: command-line, sync)."""

from __future__ import annotations

import os

from oxy.actions.pull import Request, pull
from oxy.cli.hooks import after
from oxy.cli.landed import tell
from oxy.cli.listing import Shower
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.landing import Landed
    from oxy.cli.output import Output
    from oxy.cli.records import Record


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Take in what another repository holds. Its bookmarks are called NAME@REMOTE here,\n"
        "and the bookmark that you are on follows its own of the same name:\n"
        "what is new there comes, what was taken back there goes, unless yours depends on it.\n"
        "With names, these come, and your bookmarks of the same names follow."
    )
    parser.add_argument(
        "remote", nargs="?", metavar="REMOTE", help="a remote, or where one is (the upstream)"
    )
    parser.add_argument(
        "bookmarks", nargs="*", metavar="BOOKMARK", help="only these bookmarks (all)"
    )
    parser.add_argument("--dry-run", action="store_true", help="only tell what would come")
    parser.epilog = (
        "example:\n  oxy pull ../theirs main\n  oxy pull ssh://grace@example.org/srv/theirs\n\n"
        "exit codes:\n  0 fine, with conflicts or without\n"
        "  2 no such bookmark, a file is in the way, or an address that is refused\n"
        "  3 no repository, or the connection was lost: pulling again goes on from there\n"
        "  4 something that came is not what it claims to be; nothing of it was kept"
    )


def run(args: Namespace, out: Output) -> None:
    """Pull."""
    remote = None if args.remote is None else os.fsencode(args.remote)
    request = Request(remote, tuple(map(os.fsencode, args.bookmarks)), args.dry_run)
    with working_copy(os.getcwdb()) as copy:
        progress = copy.progress = out.progress()
        landed = pull(copy, request, progress)
        tell(out, Shower(copy.root), landed, dry_run=args.dry_run)
        if not args.dry_run:
            after(out, copy.root, "after-pull", lambda: facts(landed))


def facts(landed: Landed) -> dict[str, bytes | int | list[Record]]:
    """Return what a hook is told."""
    return {
        "remote": landed.remote,
        "came": landed.came,
        "bookmarks": [{"name": each.bookmark} for each in landed.merged],
    }
