"""`oxy git fetch`: bring a Git remote's branches, and let no bookmark follow (spec: GB52)."""

from __future__ import annotations

import os

from oxy.cli.clock import stamp
from oxy.worktree.workcopy import working_copy
from oxy_git.remote.pull import Request, pull
from oxy_git.verb.importing import GOES_ON
from oxy_git.verb.pulling import tell_pulled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Bring in what is new in a Git remote, as BRANCH@REMOTE, and leave bookmarks and\n"
        "files alone. `oxy merge BRANCH@REMOTE` or `oxy git pull` then lets a bookmark follow."
    )
    parser.add_argument(
        "remote", nargs="?", metavar="REMOTE", help="a Git remote (the only one, or origin)"
    )
    parser.epilog = (
        "example:\n  oxy git fetch origin\n\n"
        "exit codes:\n  0 fine   2 no such remote   3 no repository, or git failed\n"
        "  4 an object is missing or breaks a rule   130 interrupted: run it again to go on"
    )


def run(args: Namespace, out: Output) -> None:
    """Fetch."""
    remote = None if args.remote is None else os.fsencode(args.remote)
    words = f"git fetch {args.remote}" if args.remote else "git fetch"
    with working_copy(os.getcwdb()) as copy:
        request = Request(remote, follows=False)
        try:
            pulled = pull(copy, request, lambda: stamp(words), out.progress())
        except KeyboardInterrupt:
            out.note(GOES_ON)
            raise
        tell_pulled(out, copy.root, pulled, dry_run=False)
