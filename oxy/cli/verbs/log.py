"""`oxy log`: the changes of a state, newest first (spec: command-line, states S16)."""

from __future__ import annotations

import os

from oxy.actions.log import log
from oxy.actions.names import holders
from oxy.actions.naming import resolve_set
from oxy.actions.words import HERE_NAME
from oxy.cli.changes import lines_of, piece_of, record_of, summary_of
from oxy.cli.graph import Drawing
from oxy.cli.number import positive
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable

    from oxy.actions.log import Entry
    from oxy.cli.output import Output, Part


NOTHING: tuple[Part, ...] = ("",)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show the changes of a state, newest first: a change comes after all that know it,\n"
        "then the later one comes first."
    )
    parser.add_argument(
        "state", nargs="?", help="whose changes: a state, or A-B (the working copy's)"
    )
    parser.add_argument("-n", type=positive, dest="limit", metavar="N", help="show at most N")
    parser.add_argument("--graph", action="store_true", help="draw forks and joins beside it")
    parser.add_argument("--oneline", action="store_true", help="a line for each change")
    parser.epilog = (
        "example:\n  oxy log --graph --oneline -n 20 main\n\n"
        "exit codes:\n  0 fine   2 no such state   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Show the log."""
    with opened(os.getcwdb()) as repository:
        called = HERE_NAME if args.state is None else os.fsencode(args.state)
        entries = log(repository, resolve_set(repository, called), args.limit, draws=args.graph)
        if out.as_json:
            for entry in entries:
                out.record(record_of(entry))
            return
        held = holders(repository)
        drawing = Drawing() if args.graph else None
        is_plain = not (args.oneline or args.graph or out.is_coloured)
        for entry in entries:
            names = held.get(entry.change, ())
            piece = piece_of(entry, names) if is_plain else None
            if piece is not None:
                out.raw(piece)
                continue
            lines = [summary_of(entry, names)] if args.oneline else lines_of(entry, names)
            write(out, drawing, entry, lines)


def write(
    out: Output, drawing: Drawing | None, entry: Entry, lines: Iterable[tuple[Part, ...]]
) -> None:
    """Write the lines of a change, beside the drawing if there is one."""
    if drawing is None:
        for line in lines:
            out.line(*line)
        return
    beside = drawing.put(entry.change, entry.parents)
    rows = list(lines)
    beside += [drawing.beside()] * (len(rows) - len(beside))
    width = max(map(len, beside[: len(rows)])) + 1
    rows += [NOTHING] * (len(beside) - len(rows))
    for left, row in zip(beside, rows, strict=True):
        out.line(left if row == NOTHING else left.ljust(width), *row)
