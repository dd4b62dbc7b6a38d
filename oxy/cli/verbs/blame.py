"""`oxy blame`: which change each line of a file came from (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.blame import blame
from oxy.actions.naming import resolve, resolve_change
from oxy.actions.past import Past
from oxy.actions.paths import inside
from oxy.cli.dates import readable, rfc3339
from oxy.cli.escape import escape
from oxy.cli.output import Styled
from oxy.cli.people import add_mailmap, mapping_of
from oxy.model.digest import short
from oxy.model.width import padded, width
from oxy.repo.origin import git_commit
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from oxy.actions.blame import Line, Origin
    from oxy.cli.output import Output
    from oxy.cli.people import Mapping
    from oxy.cli.records import Record, Scalar

NO_ID = 12
"""Columns of an id, empty where there is none."""


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show for each line of a file the change that it came from. Without --at the file is\n"
        "as it is on disk, with what is not recorded yet."
    )
    parser.add_argument("path", help="the file, from where you stand")
    parser.add_argument("--at", metavar="STATE", help="as this state has it (as it is on disk)")
    parser.add_argument(
        "-L",
        dest="ranges",
        metavar="RANGE",
        action="append",
        default=[],
        help="these lines: START,END, START,+COUNT, /REGEX/,END; from START on (repeatable)",
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
    parser.add_argument(
        "--deleted",
        action="store_true",
        help="also the lines that were deleted, and who deleted them",
    )
    add_mailmap(parser)
    parser.epilog = (
        "A line in a conflict is marked with its side: 1/2 is the first of two. Of a deleted\n"
        "line, with - for a number, the change that deleted it is shown.\n\n"
        "example:\n  oxy blame README.md --at main -L '/## Install/,+10'\n\n"
        "exit codes:\n  0 fine   2 no such file, line, state or change   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Show the lines."""
    here = os.getcwdb()
    with working_copy(here) as copy:
        repository = copy.repository
        past = Past(
            frozenset(
                resolve_change(repository, os.fsencode(name)) for name in args.ignore_change
            ),
            args.ignore_whitespace,
        )
        path = inside(copy.root, here, os.fsencode(args.path))
        if args.at is None:
            from oxy.actions.unrecorded import blame_on_disk

            lines = blame_on_disk(copy, path, past, deleted=args.deleted)
        else:
            state = resolve(repository, os.fsencode(args.at)).state
            lines = blame(repository, state, path, past, deleted=args.deleted)
        mapping = mapping_of(args, copy.root)
    if args.ranges:
        lines = list(within(lines, args.ranges))
    if out.as_json:
        write_records(out, lines, mapping)
    else:
        write_lines(out, lines, mapping)


def within(lines: list[Line], ranges: list[str]) -> Iterator[Line]:
    """Yield the lines of ranges, and what was deleted between them."""
    from oxy.cli.ranges import resolved

    texts = [line.text for line in lines if line.deleted is None]
    wanted = [resolved(given, texts) for given in ranges]
    number = 0
    for line in lines:
        number = line.number or number
        is_gone = line.deleted is not None
        if any(first <= number and number + is_gone <= last for first, last in wanted):
            yield line


def write_records(out: Output, lines: list[Line], mapping: Mapping | None) -> None:
    """Write an object for each line."""
    for line in lines:
        record: dict[str, Scalar | bytes | list[Record]] = {
            "line": line.number or None,
            "text": line.text,
            **record_of(line.origin, mapping),
            **(line.mark._asdict() if line.mark is not None else {}),
        }
        if line.deleted is not None:
            record["deleted"] = [record_of(origin, mapping) for origin in line.deleted]
        out.record(record)


def record_of(origin: Origin | None, mapping: Mapping | None) -> dict[str, Scalar | bytes]:
    """Return a change for JSON."""
    if origin is None:
        return {"change": None, "author": None, "date": None}
    header = origin.header
    record: dict[str, Scalar | bytes] = {
        "change": origin.id.hex(),
        "author": header.author,
        "date": rfc3339(header.time),
    }
    git = git_commit(header)
    if git is not None:
        record["git"] = git.hex()
    author = mapping(header.author) if mapping else header.author
    if author != header.author:
        record["mapped_author"] = author
    return record


def write_lines(out: Output, lines: list[Line], mapping: Mapping | None) -> None:
    """Write each line after its change, author and date, in columns."""
    shown = [told(line) for line in lines]
    origins = {origin.id if origin else b"": origin for origin in shown}
    columns = {
        key: (who(origin, mapping), readable(origin.header.time) if origin else "")
        for key, origin in origins.items()
    }
    names = max((width(name) for name, _ in columns.values()), default=0)
    dates = max((len(date) for _, date in columns.values()), default=0)
    digits = len(str(max((line.number for line in lines), default=0)))
    sides = max((len(side(line)) for line in lines), default=0)
    for line, origin in zip(lines, shown, strict=True):
        name, date = columns[origin.id if origin else b""]
        number = str(line.number or "-")
        middle = f" {padded(name, names)} {date:<{dates}} {number:>{digits}} "
        if sides:
            middle += f"{side(line):<{sides}} "
        key = Styled("id", short(origin.id) if origin else " " * NO_ID)
        text = line.text if line.deleted is None else Styled("removed", line.text)
        out.line(key, middle, text)


def told(line: Line) -> Origin | None:
    """Return the change that is told of a line: of a deleted one that which deleted it."""
    if line.deleted is None:
        return line.origin
    return line.deleted[0] if line.deleted else None


def side(line: Line) -> str:
    """Return the mark of a line in a conflict; nothing for others."""
    return f"{line.mark.side}/{line.mark.sides}" if line.mark else ""


def who(origin: Origin | None, mapping: Mapping | None) -> str:
    """Return the name of an author without the address, as it will be shown."""
    if origin is None:
        return "not recorded yet"
    author = origin.header.author
    name, _, _ = (mapping(author) if mapping else author).partition(b" <")
    return escape(name)
