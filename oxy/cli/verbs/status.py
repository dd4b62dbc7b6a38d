"""`oxy status`: what is not as the base state has it (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.paths import inside
from oxy.actions.status import status
from oxy.cli.listing import Shower
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
        "What the state itself holds in conflict is listed apart, as C."
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="look at these only")
    parser.epilog = (
        "example:\n  oxy status src\n\n"
        "exit codes:\n  0 fine, whether or not something differs   2 no such path\n"
        "  3 no repository, or a file that cannot be read"
    )


def bare(out: Output) -> None:
    """Show everything, without a parser."""
    show([], out)


def run(args: Namespace, out: Output) -> None:
    """Show what differs."""
    show(args.paths, out)


def show(paths: list[str], out: Output) -> None:
    """Show what differs at some paths; at none of them, everywhere."""
    here = os.getcwdb()
    with working_copy(here) as copy:
        found = status(copy, [inside(copy.root, here, os.fsencode(path)) for path in paths])
        shower = Shower(copy.root)
        if out.as_json:
            out.record(record(found, shower))
        else:
            write(out, found, shower)


def write(out: Output, found: Status, shower: Shower) -> None:
    """Write the listing for people."""
    if found.bookmark:
        out.line("on ", Styled("heading", found.bookmark))
    else:
        # Not above: on a bookmark it is not needed, and it would load the digests.
        from oxy.model.digest import short

        heads = ", ".join(map(short, found.heads)) or "the empty state"
        out.line("at ", Styled("id", heads), ", on no bookmark")
    if found.interrupted is not None:
        words = found.interrupted.words
        out.line(b"a switch to ", words, b" was interrupted: run `oxy switch ", words, b"`")
    for change in found.snapshot.changes:
        out.line(*shower.line(change))
    shower.write_left_out(out, found.snapshot)
    if not found.snapshot.changes:
        out.line("nothing changed")
    if found.conflicts:
        from oxy.cli.conflicts import conflict_line

        out.line("in conflict:")
        for conflict in found.conflicts:
            out.line(*conflict_line(conflict, shower))


def record(found: Status, shower: Shower) -> Record:
    """Return the listing for JSON."""
    conflicts: list[Record] = []
    if found.conflicts:
        from oxy.cli.conflicts import conflict_record

        conflicts = [conflict_record(conflict, shower) for conflict in found.conflicts]
    made: dict[str, bytes | Sequence[Scalar | Record] | Record | None] = {
        "bookmark": found.bookmark,
        "changes": [shower.record(change) for change in found.snapshot.changes],
        "conflicts": conflicts,
        "left_out": shower.records_left_out(found.snapshot),
    }
    if found.bookmark is None:
        made["heads"] = [name.hex() for name in found.heads]
    if found.interrupted is not None:
        made["interrupted"] = found.interrupted.words
    return made
