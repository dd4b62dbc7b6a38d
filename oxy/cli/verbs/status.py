"""`oxy status`: what is not as the base state has it (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.status import status
from oxy.cli.listing import UNREAD, Shower
from oxy.cli.output import Styled
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from oxy.actions.status import Status
    from oxy.cli.output import Output
    from oxy.cli.records import Record, Scalar


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show how the files differ from the state that they were made from:\n"
        "A added, D deleted, M modified, R renamed, X mode changed, T type changed.\n"
        "What the state itself holds in conflict is listed apart, as C. In the short form\n"
        "also ! left out, I ignored, U untracked by `oxy untrack`; with -z the old path of a\n"
        "rename follows the new one."
    )
    from oxy.cli.given import add_paths

    add_paths(parser, "look at these only")
    parser.add_argument(
        "-s", dest="short", action="store_true", help="a letter and a path each"
    )
    parser.add_argument(
        "-z", dest="nul", action="store_true", help="as -s; end each with NUL, escape nothing"
    )
    parser.add_argument(
        "--ignored", action="store_true", help="show also what is ignored, or untracked"
    )
    parser.epilog = (
        "example:\n  oxy status src\n\n"
        "exit codes:\n  0 fine, whether or not something differs   2 no such path\n"
        "  3 no repository, or something that cannot be read: all else is told"
    )


def bare(out: Output) -> int:
    """Show everything, without a parser."""
    with working_copy(os.getcwdb()) as copy:
        found = status(copy)
        show(out, found, Shower(copy.root))
    return UNREAD if found.snapshot.unread else 0


def run(args: Namespace, out: Output) -> int:
    """Show what differs."""
    from oxy.cli.given import paths_of

    with working_copy(os.getcwdb()) as copy:
        paths = paths_of(args, copy, tells=args.ignored)
        found = status(copy, paths, tells=args.ignored)
        shower = Shower(copy.root)
        if (args.short or args.nul) and not out.as_json:
            from oxy.cli.short import write_short

            write_short(out, found, shower, nul=args.nul)
        else:
            show(out, found, shower)
    return UNREAD if found.snapshot.unread else 0


def show(out: Output, found: Status, shower: Shower) -> None:
    """Show what differs, in full."""
    if out.as_json:
        out.record(record(found, shower))
    else:
        write(out, found, shower)


def write(out: Output, found: Status, shower: Shower) -> None:
    """Write the listing for people."""
    _write_where(out, found)
    for change in found.snapshot.changes:
        out.line(*shower.line(change))
    shower.write_left_out(out, found.snapshot)
    for path, kind, _ in found.ignored or ():
        out.line(f"{kind}: ", shower.path(path))
    if not found.snapshot.changes:
        out.line("nothing changed")
    if found.conflicts:
        from oxy.cli.conflicts import conflict_line

        out.line("in conflict:")
        for conflict in found.conflicts:
            out.line(*conflict_line(conflict, shower))


def _write_where(out: Output, found: Status) -> None:
    """Write what the files are of, and what else moved or was to move."""
    if found.bookmark:
        out.line("on ", Styled("heading", found.bookmark), *_standing(found))
    else:
        # Not above: on a bookmark it is not needed, and it would load the digests.
        from oxy.model.digest import short

        heads = ", ".join(map(short, found.heads)) or "the empty state"
        out.line("at ", Styled("id", heads), ", on no bookmark")
    if found.moved and found.bookmark:
        name = found.bookmark
        out.line(name, b" has moved on: `oxy switch ", name, b"` goes there, edits and all")
    if found.interrupted is not None:
        words = found.interrupted.words
        out.line(b"a switch to ", words, b" was interrupted: run `oxy switch ", words, b"`")


def _standing(found: Status) -> tuple[str | bytes, ...]:
    """Return how the bookmark stands to the one that it follows, if not as that does."""
    if found.standing is None:
        return ()
    remote, ahead, behind = found.standing
    ways = [f"{ahead} ahead of"] * bool(ahead) + [f"{behind} behind"] * bool(behind)
    return (", ", " and ".join(ways), " ", remote) if ways else ()


def record(found: Status, shower: Shower) -> Record:
    """Return the listing for JSON."""
    conflicts: list[Record] = []
    if found.conflicts:
        from oxy.cli.conflicts import conflict_record

        conflicts = [conflict_record(conflict, shower) for conflict in found.conflicts]
    made: dict[str, bytes | Sequence[Scalar | Record] | Record | bool | None] = {
        "bookmark": found.bookmark,
        "changes": [shower.record(change) for change in found.snapshot.changes],
        "conflicts": conflicts,
        "left_out": shower.records_left_out(found.snapshot),
    }
    if found.ignored is not None:
        made["ignored"] = [
            {"path": shower.path(path), "kind": kind} for path, kind, _ in found.ignored
        ]
    if found.bookmark is None:
        made["heads"] = [name.hex() for name in found.heads]
    if found.moved:
        made["moved"] = True
    if found.standing is not None:
        remote, ahead, behind = found.standing
        made["upstream"] = {"remote": remote, "ahead": ahead, "behind": behind}
    if found.interrupted is not None:
        made["interrupted"] = found.interrupted.words
    return made
