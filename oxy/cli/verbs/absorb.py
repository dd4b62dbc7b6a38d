"""`oxy absorb`: each edit into the change that its lines are from (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.absorb import absorb
from oxy.cli.given import add_paths, paths_of
from oxy.cli.listing import Shower
from oxy.cli.output import Styled
from oxy.cli.rewriting import CODES, add_trial, record_of, tell
from oxy.model.change import subject
from oxy.model.digest import short
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.absorb import Absorbed
    from oxy.cli.output import Output
    from oxy.cli.rewriting import Fields


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Take each edit of the files into the change that last touched its lines. An edit\n"
        "whose lines are from several changes, of which none knows the rest, stays as it is;\n"
        "so does what else changed. What knows the changes is recorded anew after them."
    )
    add_paths(parser, "take edits of these only")
    add_trial(parser)
    parser.epilog = f"example:\n  oxy absorb --dry-run\n\n{CODES}"


def run(args: Namespace, out: Output) -> int:
    """Record them anew."""
    with working_copy(os.getcwdb()) as copy:
        paths = paths_of(args, copy)
        done = absorb(copy, paths, is_trial=args.is_trial)
        tell_all(out, done, Shower(copy.root), is_trial=args.is_trial)
    return int(done.outcome is None)


def tell_all(out: Output, done: Absorbed, shower: Shower, *, is_trial: bool) -> None:
    """Tell where each edit went, and what came of it."""
    if out.as_json:
        record: Fields = {"rewritten": [], "dry_run": is_trial}
        if done.outcome is not None:
            record = record_of(done.outcome, is_trial=is_trial)
        record["edits"] = [
            {
                "path": shower.path(piece.path),
                "line": piece.line,
                "lines": piece.lines,
                "change": None if piece.change is None else piece.change.hex(),
            }
            for piece in done.pieces
        ]
        record["others"] = [{"path": shower.path(path)} for path in done.others]
        out.record(record)
        return
    for piece in done.pieces:
        where = shower.path(piece.path), f":{piece.line}"
        if piece.change is None:
            out.line(*where, " stays: ", piece.why)
        else:
            first = subject(piece.message)
            out.line(*where, " -> ", Styled("id", short(piece.change)), " ", first)
    for path in done.others:
        out.line(shower.path(path), " stays: it is not only lines that changed")
    if done.outcome is None:
        out.line("there is nothing to rewrite")
    else:
        tell(out, done.outcome, is_trial=is_trial)
