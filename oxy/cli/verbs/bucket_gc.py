"""`oxy bucket gc`: make a bucket small (spec: command-line; sync, SY25, SY95, SY96)."""

from __future__ import annotations

import os

from oxy.actions.buckets import gc
from oxy.cli.outcome import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Drop from a bucket the changes that none of its names reaches, and make one object\n"
        "of many small ones, so that a clone takes few requests. Others may read and push.\n"
        "What was dropped is deleted by a later one, when its grace is over, by the store's\n"
        "own clock; so is what pushes left that were killed."
    )
    parser.add_argument(
        "remote", metavar="REMOTE", help="the address of a bucket, or a remote that is one"
    )
    parser.add_argument(
        "--grace",
        metavar="DAYS",
        help="how long what nothing names stays (2); 0 only where nobody else reads or writes",
    )
    parser.add_argument(
        "-n", "--dry-run", action="store_true", help="tell what would go, and do nothing"
    )
    parser.epilog = (
        "example:\n  oxy bucket gc s3://team/project\n\n"
        "exit codes:\n  0 fine   2 no bucket is meant, or no number of days\n"
        "  3 it cannot be reached, or others pushed all the time\n"
        "  4 something of it is damaged: nothing is dropped"
    )


def run(args: Namespace, out: Output) -> None:
    """Collect, and tell what came of it."""
    given = os.fsencode(args.remote)
    done = gc(given, args.grace, out.progress(), dry_run=args.dry_run)
    if out.as_json:
        out.record(
            {
                "dropped": done.dropped,
                "joined": done.joined,
                "deleted": done.swept.objects,
                "bytes": done.swept.size,
            }
        )
        return
    would = "would have " if args.dry_run else ""
    if done.dropped:
        out.line(f"{would}dropped ", counted(done.dropped))
    if done.joined:
        out.line(f"{would}joined {done.joined} objects")
    if done.swept.objects:
        out.line(f"{would}deleted {done.swept.objects} objects of {done.swept.size} bytes")
    if not (done.dropped or done.joined or done.swept.objects):
        out.line("nothing to do")
