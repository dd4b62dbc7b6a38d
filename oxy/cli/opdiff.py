"""What operations did, shown to people and as JSON (spec: command-line, L19)."""

from __future__ import annotations

from oxy.cli.oplog import KINDS, ids_of, way
from oxy.cli.outcome import file_record, line_of
from oxy.cli.output import Styled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from oxy.actions.opdiff import Brief, Difference, Moved
    from oxy.cli.listing import Shower
    from oxy.cli.output import Output
    from oxy.cli.records import Record
    from oxy.repo.repository import Repository

SHOWN = 10
"""Most changes of a name that are shown to people."""


def write(out: Output, repository: Repository, shower: Shower, found: Difference) -> None:
    """Write the names that moved, each with its changes, and the files that differ."""
    for move, came, went in found.moves:
        name = (" ", move.ref.name) if move.ref.name else ()
        out.line(KINDS[move.ref.kind], *name, ": ", way(repository, move))
        write_changes(out, "+", came)
        write_changes(out, "-", went)
    if found.files:
        out.line("files:")
    for file in found.files:
        out.line("  ", *line_of(shower, file))


def write_changes(out: Output, sign: str, changes: Sequence[Brief]) -> None:
    """Write changes that came or went."""
    for name, header in changes[:SHOWN]:
        first = header.message.split(b"\n", 1)[0]
        out.line(f"  {sign} ", Styled("id", name[:6].hex()), " ", first)
    if len(changes) > SHOWN:
        out.line(f"  {sign} and {len(changes) - SHOWN} more")


def records(repository: Repository, moves: Sequence[Moved]) -> list[Record]:
    """Return the names that moved for JSON."""
    return [
        {
            "kind": KINDS[move.ref.kind],
            "name": move.ref.name,
            "before": ids_of(repository, move.before),
            "after": ids_of(repository, move.after),
            "came": briefs(came),
            "went": briefs(went),
        }
        for move, came, went in moves
    ]


def briefs(changes: Sequence[Brief]) -> list[Record]:
    """Return changes for JSON."""
    return [{"id": name.hex(), "message": header.message} for name, header in changes]


def file_records(shower: Shower, found: Difference) -> list[Record]:
    """Return the files that differ for JSON."""
    return [file_record(shower, file) for file in found.files]
