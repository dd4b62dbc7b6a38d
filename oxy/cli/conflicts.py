"""Conflicts of the base state, shown to people and as JSON (spec: conflicts; command-line)."""

from __future__ import annotations

from oxy.cli.output import Styled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from oxy.actions.conflicts import Conflicted
    from oxy.cli.listing import Shower
    from oxy.cli.output import Part
    from oxy.cli.records import Record, Scalar


def conflict_line(found: Conflicted, shower: Shower) -> tuple[Part, ...]:
    """Return one line for a file in conflict."""
    return line_of(found.path, told(found), shower)


def line_of(path: bytes, what: Sequence[str], shower: Shower) -> tuple[Part, ...]:
    """Return one line for a file of which something is in conflict, given what in words."""
    return Styled("warning", "C"), " ", shower.path(path), "  ", ", ".join(what)


def told(found: Conflicted) -> list[str]:
    """Return what is in conflict, in words."""
    if found.is_away:
        return [*found.kinds, "not here (sparse)"]
    words = [
        f"{kind} chosen, not yet recorded" if kind in found.chosen else kind
        for kind in found.kinds
        if kind != "text"
    ]
    if "text" not in found.kinds:
        return words
    if found.left is not None:
        return [f"markers left at line {found.left}", *words]
    if found.is_edited_out:
        return ["text resolved, not yet recorded", *words]
    ranges = ", ".join(f"{first}-{last}" for first, last in found.lines)
    return [f"text at {ranges}", *words]


def conflict_record(found: Conflicted, shower: Shower) -> Record:
    """Return a file in conflict for JSON."""
    record: dict[str, bytes | int | Sequence[Scalar | Record] | None] = {
        "path": shower.path(found.path),
        "kinds": list(found.kinds),
        "chosen": list(found.chosen),
    }
    if "text" in found.kinds:
        record["lines"] = [{"first": first, "last": last} for first, last in found.lines]
        record["marker"] = found.left
    if found.is_away:
        record["away"] = True
    return record
