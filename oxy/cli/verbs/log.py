"""`oxy log`: the changes of a state, newest first (spec: command-line, states S16)."""

from __future__ import annotations

import os
from itertools import islice

from oxy.actions.log import log
from oxy.actions.names import holders
from oxy.actions.naming import HERE_NAME, resolve
from oxy.cli.changes import lines_of, piece_of, record_of, summary_of
from oxy.cli.graph import Drawing
from oxy.cli.number import positive
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator

    from oxy.actions.log import Entry
    from oxy.cli.output import Output, Part


NOTHING: tuple[Part, ...] = ("",)

TOGETHER = 64
"""Changes that are written in one go."""


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show the changes of a state, newest first: a change comes after all that know it,\n"
        "then the later one comes first."
    )
    parser.add_argument(
        "state", nargs="?", help="a bookmark, tag, change id or git:ID (the working copy's)"
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
        entries = log(
            repository, resolve(repository, called).state, args.limit, draws=args.graph
        )
        if out.as_json:
            for entry in entries:
                out.record(record_of(entry))
            return
        held = holders(repository)
        drawing = Drawing() if args.graph else None
        if not (args.oneline or args.graph or out.is_coloured):
            write_plain(out, entries, held)
            return
        for entry in entries:
            names = held.get(entry.change, ())
            lines = [summary_of(entry, names)] if args.oneline else lines_of(entry, names)
            write(out, drawing, entry, lines)


def write_plain(out: Output, entries: Iterator[Entry], held: dict[int, list[bytes]]) -> None:
    """Write changes without a drawing or colour, many in one go."""
    while some := list(islice(entries, TOGETHER)):
        out.raw(b"".join([piece_of(entry, held.get(entry.change, ())) for entry in some]))


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
