"""`oxy gc`: make the store small, and let go of what nothing reaches (spec: L, ST29, ST30)."""

from __future__ import annotations

import os

from oxy.actions.clock import now
from oxy.actions.gc import Request, gc, would
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy.cli.records import Record
    from oxy.repo.collecting.run import Collected


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Write the store anew, so that versions that are alike lie together, and remove what\n"
        "no name and no operation has reached for a while. Others may read and wait to write;\n"
        "when it is interrupted, nothing is lost and the next one goes on."
    )
    parser.add_argument(
        "--grace",
        metavar="DAYS",
        help="how long nothing must have reached what is removed (gc.grace, else 14); 0 only "
        "where nobody else writes",
    )
    parser.add_argument(
        "-n", "--dry-run", action="store_true", help="tell what would go, and do nothing"
    )
    parser.epilog = (
        "example:\n  oxy gc --grace 30\n\n"
        "exit codes:\n  0 fine   2 no number of days   3 no repository, or another writes\n"
        "  4 something is damaged: nothing is removed"
    )


def run(args: Namespace, out: Output) -> None:
    """Collect, and tell what it saved."""
    request = Request(now().microseconds, args.grace)
    with opened(os.getcwdb()) as repository:
        if args.dry_run:
            done = would(repository, request)
        else:
            done = gc(repository, request, out.progress())
    if out.as_json:
        out.record(_record(done))
    else:
        _tell(done, out, is_dry=args.dry_run)


def _record(done: Collected) -> Record:
    return {
        "before": {**done.before._asdict(), "total": done.before.total},
        "after": {**done.after._asdict(), "total": done.after.total},
        "removed": done.removed._asdict(),
        "waiting": done.waiting,
        "moved": done.moved,
    }


def _tell(done: Collected, out: Output, *, is_dry: bool) -> None:
    if not is_dry:
        out.line(f"{done.after.total} bytes, {done.before.total} before")
    counts = done.removed._asdict()
    cached = counts.pop("cached")
    gone = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    if gone:
        out.line("would remove " if is_dry else "removed ", gone)
    elif is_dry:
        out.line("nothing would be removed")
    if cached:
        out.line(f"removed {cached} rows of the cache")
    if done.waiting:
        out.line(f"{done.waiting} objects that nothing reaches stay for their grace period")
