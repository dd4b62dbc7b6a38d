"""`oxy fetch`: see what another repository holds (spec: command-line, sync SY53)."""

from __future__ import annotations

import os

from oxy.actions.pull import Request, pull
from oxy.actions.supplying import supply_all
from oxy.cli.clock import stamp
from oxy.cli.landed import tell
from oxy.cli.listing import Shower
from oxy.repo.repository import opened
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Take in what another repository holds, and have its bookmarks as NAME@REMOTE. Yours\n"
        "and the files stay as they are; `oxy pull` also lets them follow."
    )
    parser.add_argument(
        "remote", nargs="?", metavar="REMOTE", help="a remote, or where one is (the upstream)"
    )
    parser.add_argument(
        "bookmarks", nargs="*", metavar="BOOKMARK", help="only these bookmarks (all)"
    )
    parser.add_argument(
        "--all-text",
        action="store_true",
        help="then have all come that a lazy clone lacks, and be lazy no more",
    )
    parser.epilog = (
        "example:\n  oxy fetch origin && oxy log main@origin\n  oxy fetch --all-text\n\n"
        "exit codes:\n  0 fine   2 no such bookmark, or an address that is refused\n"
        "  3 no repository, or the connection was lost\n"
        "  4 something that came is not what it claims to be; nothing of it was kept"
    )


def run(args: Namespace, out: Output) -> None:
    """Fetch."""
    remote = None if args.remote is None else os.fsencode(args.remote)
    bookmarks = tuple(map(os.fsencode, args.bookmarks))
    with working_copy(os.getcwdb()) as copy:
        landed = pull(copy, Request(remote, bookmarks, only_fetch=True), out.progress())
        tell(out, Shower(copy.root), landed, dry_run=False)
    if args.all_text:
        _fetch_all_text(out)


def _fetch_all_text(out: Output) -> None:
    with opened(os.getcwdb()) as repository:
        found = supply_all(repository, stamp("fetch --all-text"), out.progress())
    blobs, size = (0, 0) if found is None else found.brought
    if out.as_json:
        out.record({"fetched_blobs": blobs, "fetched_bytes": size})
    elif found is None:
        out.line("nothing is lacked: this is no lazy clone")
    else:
        what = "1 blob" if blobs == 1 else f"{blobs} blobs"
        out.line(f"{what} of {size} bytes came; nothing is lacked any more")
