"""`oxy git pull`: take in what a Git remote holds (spec: git-bridge, GB37, GB52)."""

from __future__ import annotations

import os

from oxy.cli.clock import stamp
from oxy.cli.hooks import after
from oxy.cli.landed import record_of_landed, tell
from oxy.cli.listing import Shower
from oxy.cli.outcome import counted
from oxy.cli.verbs.pull import facts
from oxy.worktree.workcopy import working_copy
from oxy_git.remote.pull import Request, pull
from oxy_git.verb.importing import GOES_ON
from oxy_git.verb.summary import examples, tell_strangers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy.cli.records import Record
    from oxy_git.remote.pull import Pulled


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Take in what a Git remote holds: its new commits become changes, its branches are\n"
        "BRANCH@REMOTE here, and the bookmark that you are on follows its branch. What was\n"
        "pushed from oxy comes back as the changes that it was. With names, these branches\n"
        "come, and your bookmarks of the same names follow."
    )
    parser.add_argument(
        "remote", nargs="?", metavar="REMOTE", help="a Git remote (the only one, or origin)"
    )
    parser.add_argument(
        "bookmarks", nargs="*", metavar="BRANCH", help="only these branches (all)"
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="only tell what would become of bookmarks and files; commits are taken in",
    )
    parser.epilog = (
        "example:\n  oxy git pull origin main\n\n"
        "exit codes:\n  0 fine, with conflicts or without\n"
        "  2 no such remote or branch, or a file is in the way\n"
        "  3 no repository, or git failed   4 an object is missing or breaks a rule\n"
        "  130 interrupted: run it again to go on"
    )


def run(args: Namespace, out: Output) -> None:
    """Pull."""
    remote = None if args.remote is None else os.fsencode(args.remote)
    request = Request(remote, tuple(map(os.fsencode, args.bookmarks)), args.dry_run)
    words = " ".join(["git pull", *([args.remote] if args.remote else []), *args.bookmarks])
    with working_copy(os.getcwdb()) as copy:
        progress = copy.progress = out.progress()
        try:
            pulled = pull(copy, request, lambda: stamp(words), progress)
        except KeyboardInterrupt:
            out.note(GOES_ON)
            raise
        tell_pulled(out, copy.root, pulled, dry_run=args.dry_run)
        if not args.dry_run:
            after(out, copy.root, "after-pull", lambda: facts(pulled.landed))


def tell_pulled(out: Output, root: bytes, pulled: Pulled, *, dry_run: bool) -> None:
    """Tell what came."""
    if out.as_json:
        out.record(record_of(root, pulled, dry_run=dry_run))
        return
    landed, tally, skipped = pulled
    tell(out, Shower(root), landed, dry_run=dry_run)
    tell_strangers(out, tally)
    if skipped:
        out.line(f"{counted(len(skipped), 'ref')} left out:")
        examples(out, list(skipped))


def record_of(root: bytes, pulled: Pulled, *, dry_run: bool) -> Record:
    """Return what came for JSON."""
    landed, tally, skipped = pulled
    return {
        **record_of_landed(Shower(root), landed, dry_run=dry_run),
        "recognised": tally.recognised,
        "received": tally.received,
        "strangers": tally.strangers,
        "skipped": [{"ref": name, "reason": reason} for name, reason in skipped],
    }
