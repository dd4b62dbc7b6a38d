"""`oxy resolve`: what is in conflict, and settling it (spec: conflicts, C27)."""

from __future__ import annotations

import os

from oxy.actions.paths import inside
from oxy.actions.resolving import CHOICES
from oxy.cli.front import UsageError
from oxy.cli.listing import Shower
from oxy.cli.output import Styled
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from oxy.actions.resolving import Standing, Taken
    from oxy.cli.output import Output
    from oxy.cli.records import Record
    from oxy.worktree.markers import Side
    from oxy.worktree.workcopy import WorkingCopy


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "List what is in conflict, with the lines of the files, or put something in the place\n"
        "of conflicts of texts: one's own side (left), the one that came with the last merge\n"
        "(right), both after each other, or what both started from (base). The files are\n"
        "written; `oxy commit` records them."
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="these only")
    parser.add_argument("--take", choices=CHOICES, help="put this in the place of conflicts")
    parser.add_argument(
        "--only", metavar="N", type=int, help="with --take: this conflict of each file only"
    )
    parser.epilog = (
        "example:\n  oxy resolve --take left --only 2 README.md\n\n"
        "exit codes:\n  0 nothing in conflict, or taken   1 conflicts are listed, or nothing\n"
        "  to take   2 no such path or conflict, more than one side is meant, or markers left\n"
        "  3 no repository, or a file that changed meanwhile"
    )


def run(args: Namespace, out: Output) -> int:
    """List, or take."""
    if args.only is not None and args.take is None:
        message = "--only goes with --take"
        raise UsageError(message)
    here = os.getcwdb()
    with working_copy(here) as copy:
        only = [inside(copy.root, here, os.fsencode(path)) for path in args.paths]
        shower = Shower(copy.root)
        if args.take is not None:
            return taken(copy, only, args, shower, out)
        return listed(copy, only, shower, out)


def taken(
    copy: WorkingCopy, only: Sequence[bytes], args: Namespace, shower: Shower, out: Output
) -> int:
    """Take a side, and tell which files were written."""
    from oxy.actions.resolving import take
    from oxy.actions.status import examined

    done = take(copy, examined(copy, only), args.take, only, args.only)
    if out.as_json:
        out.record({"taken": [taken_record(one, shower) for one in done]})
    for one in () if out.as_json else done:
        many = "conflict" if len(one.numbers) == 1 else "conflicts"
        numbers = ", ".join(map(str, one.numbers))
        out.line(f"took {args.take} for {many} {numbers} of ", shower.path(one.path))
    if not done and not out.as_json:
        out.line("nothing to take")
    return int(not done)


def taken_record(one: Taken, shower: Shower) -> Record:
    """Return a file that was written for JSON."""
    return {"path": shower.path(one.path), "numbers": list(one.numbers)}


def listed(copy: WorkingCopy, only: Sequence[bytes], shower: Shower, out: Output) -> int:
    """List what is in conflict."""
    from oxy.actions.conflicts import conflicts
    from oxy.actions.resolving import opened_texts
    from oxy.actions.status import examined
    from oxy.cli.conflicts import conflict_line, conflict_record

    snapshot = examined(copy, only)
    texts = {file.path: file.standing for file in opened_texts(copy, snapshot, only)}
    records: list[Record] = []
    found = conflicts(copy, snapshot, only)
    for one in found:
        standing = texts.get(one.path, ())
        if out.as_json:
            record = dict(conflict_record(one, shower))
            record["conflicts"] = [standing_record(copy, part) for part in standing]
            records.append(record)
            continue
        out.line(*conflict_line(one, shower))
        for part in standing:
            write(out, part)
    if out.as_json:
        out.record({"conflicts": records})
    elif not found:
        out.line("nothing is in conflict")
    return int(bool(found))


def write(out: Output, part: Standing) -> None:
    """Write a conflict of a text for people."""
    out.line(f"  {part.number}  lines {part.first}-{part.last}")
    for name, sides in (("left", part.left), ("right", part.right)):
        for side in sides:
            out.line(f"     {name:5}  ", Styled("id", side.label[:12]), side.label[12:])


def standing_record(copy: WorkingCopy, part: Standing) -> Record:
    """Return a conflict of a text for JSON."""
    return {
        "number": part.number,
        "first": part.first,
        "last": part.last,
        "left": [side_record(copy, side) for side in part.left],
        "right": [side_record(copy, side) for side in part.right],
        "base": part.base,
    }


def side_record(copy: WorkingCopy, side: Side) -> Record:
    """Return a side for JSON."""
    header = copy.repository.header(side.change)
    return {
        "id": copy.repository.nodes.rank(side.change).hex(),
        "author": header.author,
        "message": header.message,
        "text": side.text,
    }
