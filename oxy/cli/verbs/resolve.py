"""`oxy resolve`: what is in conflict, and settling it (spec: conflicts, C27)."""

from __future__ import annotations

import os

from oxy.actions.choosing import SIDES, settle
from oxy.actions.conflicts import KINDS, conflicts
from oxy.actions.resolving import CHOICES, by_tool, opened_texts
from oxy.actions.status import examined
from oxy.actions.values import claims, told, values
from oxy.cli.conflicts import conflict_line, conflict_record
from oxy.cli.front import UsageError
from oxy.cli.given import add_paths, paths_of
from oxy.cli.listing import Shower
from oxy.cli.output import Styled
from oxy.repo.tree import DISPUTED_PATH, DISPUTED_TEXT
from oxy.worktree.markers import label
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from oxy.actions.resolving import Standing
    from oxy.actions.values import Disputed
    from oxy.cli.output import Output
    from oxy.cli.records import Record
    from oxy.model.change import Header
    from oxy.repo.registers import Value
    from oxy.worktree.markers import Side
    from oxy.worktree.workcopy import WorkingCopy

NOTHING = "nothing is in conflict"
TEXT = KINDS[DISPUTED_TEXT]
PATH = KINDS[DISPUTED_PATH]


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "List what is in conflict, with the lines of the files, or settle it: by one's own\n"
        "side (left) or the one that came with the last merge (right); of texts also by both\n"
        "after each other, or by what both started from (base). The files are written, and\n"
        "`oxy commit` records them. Files that claim one name are settled by moving one."
    )
    add_paths(parser, "these only")
    parser.add_argument("--take", choices=CHOICES, help="put this in the place of conflicts")
    parser.add_argument(
        "--only", metavar="N", type=int, help="with --take: this conflict of each text only"
    )
    parser.add_argument(
        "--tool",
        metavar="NAME",
        nargs="?",
        const="",
        help="merge the texts with a tool (merge.tool of oxy's configuration or git's);\n"
        "a NAME that a file has is a PATH",
    )
    parser.epilog = (
        "example:\n  oxy resolve --take left --only 2 README.md\n\n"
        "exit codes:\n  0 nothing in conflict, or taken   1 conflicts are listed, or nothing\n"
        "  to take   2 no such path or conflict, more than one side is meant, or markers left\n"
        "  3 no repository, no such tool, or a file that changed meanwhile"
    )


def run(args: Namespace, out: Output) -> int:
    """List, or take."""
    if args.only is not None and args.take is None:
        message = "--only goes with --take"
        raise UsageError(message)
    if args.tool is not None and args.take is not None:
        message = "--tool and --take do not go together"
        raise UsageError(message)
    if args.tool and os.path.lexists(args.tool):
        # Who writes `--tool PATH` means the file.
        args.paths.insert(0, args.tool)
        args.tool = ""
    with working_copy(os.getcwdb()) as copy:
        only = paths_of(args, copy)
        shower = Shower(copy.root)
        if args.take is not None:
            return taken(copy, only, args, shower, out)
        if args.tool is not None:
            return merged(copy, only, args.tool, shower, out)
        return listed(copy, only, shower, out)


def taken(
    copy: WorkingCopy, only: Sequence[bytes], args: Namespace, shower: Shower, out: Output
) -> int:
    """Take a side, and tell of which files."""
    chosen, done = settle(copy, args.take, only, args.only)
    if out.as_json:
        out.record(
            {
                "taken": [
                    {"path": shower.path(one.path), "numbers": list(one.numbers)}
                    for one in done
                ],
                "chosen": [
                    {"path": shower.path(one.path), "kinds": list(one.names)} for one in chosen
                ],
            }
        )
        return int(not done and not chosen)
    for pick in chosen:
        out.line(f"took {args.take} for ", shower.path(pick.path), ": ", ", ".join(pick.names))
    for one in done:
        numbers = ", ".join(map(str, one.numbers))
        out.line(f"took {args.take} for ", shower.path(one.path), f": text {numbers}")
    if not done and not chosen:
        out.line(why_nothing(copy, only, args.take))
    return int(not done and not chosen)


def why_nothing(copy: WorkingCopy, only: Sequence[bytes], choice: str) -> str:
    """Return why nothing could be taken."""
    kinds = {kind for one in conflicts(copy, examined(copy, only), only) for kind in one.kinds}
    if not kinds:
        return NOTHING
    if kinds == {PATH}:
        return "nothing to take: move or delete one of the files that claim a name"
    if TEXT not in kinds and choice not in SIDES:
        return f"nothing to take: there is no {choice} of what is no text"
    return "nothing to take"


def merged(
    copy: WorkingCopy, only: Sequence[bytes], tool: str, shower: Shower, out: Output
) -> int:
    """Run a merge tool, and tell which files it merged."""
    out.flush()
    done = by_tool(copy, examined(copy, only), only, tool or None, is_quiet=out.as_json)
    if out.as_json:
        out.record({"merged": [{"path": shower.path(path)} for path in done]})
        return int(not done)
    for path in done:
        out.line("merged ", shower.path(path))
    if not done:
        out.line("nothing was merged")
    return int(not done)


def listed(copy: WorkingCopy, only: Sequence[bytes], shower: Shower, out: Output) -> int:
    """List what is in conflict."""
    snapshot = examined(copy, only)
    texts = {file.path: file.standing for file in opened_texts(copy, snapshot, only)}
    held: dict[bytes, list[Disputed]] = {}
    for one in (*values(copy, snapshot, only), *claims(copy, snapshot, only)):
        held.setdefault(one.path, []).append(one)
    found = conflicts(copy, snapshot, only)
    records: list[Record] = []
    for conflict in found:
        standing = texts.get(conflict.path, ())
        disputed = held.get(conflict.path, [])
        if out.as_json:
            record = dict(conflict_record(conflict, shower))
            record["conflicts"] = [standing_record(copy, part) for part in standing]
            record["values"] = [disputed_record(copy, one) for one in disputed]
            records.append(record)
            continue
        out.line(*conflict_line(conflict, shower))
        for part in standing:
            write(out, part)
        for one in disputed:
            write_values(out, copy, one)
    if out.as_json:
        out.record({"conflicts": records})
    elif not found:
        out.line(NOTHING)
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


def write_values(out: Output, copy: WorkingCopy, one: Disputed) -> None:
    """Write a register in conflict for people."""
    out.line(f"  {one.name}")
    for name, held in (("left", one.left), ("right", one.right)):
        for value in held:
            by, header = origin(copy, value)
            called = label(by, header.author, header.message)
            shown = told(one.register, value.value)
            words = (shown, "  ", Styled("id", called[:12]), called[12:])
            out.line(f"     {name:5}  ", *words)


def disputed_record(copy: WorkingCopy, one: Disputed) -> Record:
    """Return a register in conflict for JSON."""
    return {
        "kind": one.name,
        "left": [value_record(copy, one, value) for value in one.left],
        "right": [value_record(copy, one, value) for value in one.right],
    }


def value_record(copy: WorkingCopy, one: Disputed, value: Value) -> Record:
    """Return a value for JSON."""
    by, header = origin(copy, value)
    return {
        "id": by.hex(),
        "author": header.author,
        "message": header.message,
        "value": told(one.register, value.value),
    }


def origin(copy: WorkingCopy, value: Value) -> tuple[bytes, Header]:
    """Return the id and the header of the change that a value is told to be of."""
    name, change = min((copy.repository.nodes.rank(change), change) for change in value.changes)
    return name, copy.repository.header(change)
