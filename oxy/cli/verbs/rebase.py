"""`oxy rebase`: changes as if recorded on another state (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.rebase import rebase
from oxy.cli.listing import Shower
from oxy.cli.outcome import conflict_records, write_conflicts
from oxy.cli.output import Styled
from oxy.cli.rewriting import CODES, add_trial, record_of, tell, tell_nothing
from oxy.model.digest import short
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Record changes as if they had been recorded on another state, and put the bookmark\n"
        "there. Of a bookmark goes what the other state has not; a change goes with all that\n"
        "know it and are not there, and what else the bookmark had is left out of it. The\n"
        "files follow; what is in conflict there is listed."
    )
    parser.add_argument(
        "subject", nargs="?", metavar="CHANGE|BOOKMARK", help="what goes (the files' state)"
    )
    parser.add_argument("--onto", metavar="STATE", required=True, help="where it goes")
    add_trial(parser)
    parser.epilog = f"example:\n  oxy rebase topic --onto main\n\n{CODES}"


def run(args: Namespace, out: Output) -> int | None:
    """Record them anew."""
    called = None if args.subject is None else os.fsencode(args.subject)
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        done = rebase(copy, called, os.fsencode(args.onto), is_trial=args.is_trial)
        shower = Shower(copy.root)
    if done is None:
        return tell_nothing(out, is_trial=args.is_trial)
    if out.as_json:
        went = done.went
        record = record_of(done.outcome, is_trial=args.is_trial)
        record["conflicts"] = conflict_records(shower, done.conflicts)
        record["left_out"] = [name.hex() for name in done.left_out]
        record["written"] = went.written if went else 0
        record["removed"] = went.removed if went else 0
        out.record(record)
        return None
    tell(out, done.outcome, is_trial=args.is_trial)
    for name in done.left_out:
        out.line("left out: ", Styled("id", short(name)))
    write_conflicts(out, shower, done.conflicts, are_here=done.went is not None)
    return None
