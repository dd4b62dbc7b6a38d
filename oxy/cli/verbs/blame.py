"""`oxy blame`: which change each line of a file came from (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.blame import blame
from oxy.actions.naming import resolve, resolve_change
from oxy.actions.past import Past
from oxy.actions.paths import inside
from oxy.actions.words import HERE_NAME
from oxy.cli.dates import readable, rfc3339
from oxy.cli.escape import escape
from oxy.cli.output import Styled
from oxy.model.digest import short
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.blame import Line, Origin
    from oxy.cli.output import Output
    from oxy.cli.records import Record


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Show for each line of a file the change that it came from."
    parser.add_argument("path", help="the file, from where you stand")
    parser.add_argument(
        "--at", metavar="STATE", help="as this state has it (the working copy's base)"
    )
    parser.add_argument(
        "-w",
        "--ignore-whitespace",
        action="store_true",
        help="look past changes of whitespace alone",
    )
    parser.add_argument(
        "--ignore-change",
        metavar="CHANGE",
        action="append",
        default=[],
        help="give the lines of this change to what they replaced (may be repeated)",
    )
    parser.epilog = (
        "A line in a conflict is marked with its side: 1/2 is the first of two.\n\n"
        "example:\n  oxy blame README.md --at main\n\n"
        "exit codes:\n  0 fine   2 no such file, state or change   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Show the lines."""
    here = os.getcwdb()
    with opened(here) as repository:
        called = HERE_NAME if args.at is None else os.fsencode(args.at)
        state = resolve(repository, called).state
        past = Past(
            frozenset(
                resolve_change(repository, os.fsencode(name)) for name in args.ignore_change
            ),
            args.ignore_whitespace,
        )
        path = inside(repository.root, here, os.fsencode(args.path))
        lines = blame(repository, state, path, past)
    if out.as_json:
        write_records(out, lines)
    else:
        write_lines(out, lines)


def write_records(out: Output, lines: list[Line]) -> None:
    """Write an object for each line."""
    for number, text, origin, mark in lines:
        record: Record = {
            "line": number,
            "text": text,
            "change": origin.id.hex(),
            "author": origin.header.author,
            "date": rfc3339(origin.header.time),
            **(mark._asdict() if mark is not None else {}),
        }
        out.record(record)


def write_lines(out: Output, lines: list[Line]) -> None:
    """Write each line after its change, author and date, in columns."""
    origins = {line.origin.id: line.origin for line in lines}
    names = {key: who(origin) for key, origin in origins.items()}
    dates = {key: readable(origin.header.time) for key, origin in origins.items()}
    widest = max(map(len, names.values()), default=0)
    digits = len(str(len(lines)))
    sides = max((len(side(line)) for line in lines), default=0)
    for line in lines:
        number, text, origin, _ = line
        key = origin.id
        middle = f" {names[key]:<{widest}} {dates[key]} {number:>{digits}} "
        if sides:
            middle += f"{side(line):<{sides}} "
        out.line(Styled("id", short(key)), middle, text)


def side(line: Line) -> str:
    """Return the mark of a line in a conflict; nothing for others."""
    return f"{line.mark.side}/{line.mark.sides}" if line.mark else ""


def who(origin: Origin) -> str:
    """Return the name of an author without the address, as it will be shown."""
    name, _, _ = origin.header.author.partition(b" <")
    return escape(name)
