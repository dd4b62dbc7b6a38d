"""`oxy reorder`: a change before or after another (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.reorder import reorder
from oxy.cli.rewriting import CODES, add_trial, tell, tell_nothing
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Record a change as if it had been recorded just before, or just after, another. It\n"
        "is refused where one depends on the other, or on what stands between them."
    )
    parser.add_argument("change", metavar="CHANGE", help="what to move")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--before", metavar="CHANGE", help="it comes just before this one")
    where.add_argument("--after", metavar="CHANGE", help="it comes just after this one")
    add_trial(parser)
    parser.epilog = f"example:\n  oxy reorder 3f2ab84c --before 91c0de\n\n{CODES}"


def run(args: Namespace, out: Output) -> int | None:
    """Record them anew."""
    is_after = args.before is None
    other = os.fsencode(args.after if is_after else args.before)
    with working_copy(os.getcwdb()) as copy:
        called = os.fsencode(args.change)
        done = reorder(copy, called, other, is_after=is_after, is_trial=args.is_trial)
    if done is None:
        return tell_nothing(out, is_trial=args.is_trial)
    tell(out, done, is_trial=args.is_trial)
    return None
