"""Bookmarks and tags shown to people, and as JSON (spec: command-line, L19)."""

from __future__ import annotations

from oxy.cli.dates import readable, rfc3339
from oxy.cli.escape import escape
from oxy.cli.output import Styled
from oxy.model.change import subject
from oxy.model.digest import short
from oxy.model.width import padded, width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oxy.actions.bookmarks import Held
    from oxy.actions.holding import Against, Holding
    from oxy.actions.tags import Tag
    from oxy.cli.output import Output, Part
    from oxy.cli.records import Record, Scalar

WIDEST = 40
"""Columns of names and states up to which rows are aligned."""


def record_of(held: Held) -> dict[str, bytes | Scalar | Sequence[Scalar | Record]]:
    """Return a name for JSON; `absent` is there where some changes are."""
    record: dict[str, bytes | Scalar | Sequence[Scalar | Record]] = {
        "name": held.name,
        "state": [head.hex() for head in held.heads],
    }
    if held.absent:
        record["absent"] = [name.hex() for name in held.absent]
    return record


def holding_record(holding: Holding) -> Record:
    """Return a bookmark for JSON."""
    record = record_of(holding.held)
    record["current"] = holding.held.is_current
    record["changes"] = holding.changes
    record["newest"] = holding.newest.id.hex() if holding.newest else None
    record["message"] = holding.newest.message if holding.newest else None
    if holding.description:
        record["description"] = holding.description
    record["remotes"] = [
        {"remote": each.remote, "ahead": each.ahead, "behind": each.behind}
        for each in holding.remotes
    ]
    if holding.workspaces:
        record["workspaces"] = [{"workspace": name} for name in holding.workspaces]
    return record


def write_holdings(out: Output, holdings: Sequence[Holding]) -> None:
    """Show bookmarks, one below the other."""
    names = [escape(holding.held.name) for holding in holdings]
    states = [state_of(holding.held.heads, holding.held.absent) for holding in holdings]
    counts = [str(holding.changes) for holding in holdings]
    widths = [min(WIDEST, max(map(width, each), default=0)) for each in (names, states, counts)]
    for holding, name, state, count in zip(holdings, names, states, counts, strict=True):
        what = "change " if holding.changes == 1 else "changes"
        out.line(
            "* " if holding.held.is_current else "  ",
            padded(name, widths[0]),
            " ",
            Styled("id", state.ljust(widths[1])),
            f"  {count.rjust(widths[2])} {what}",
            *_told(holding),
        )


def _told(holding: Holding) -> Iterator[Part]:
    """Yield what stands behind the columns."""
    if holding.newest is not None:
        yield "  "
        yield subject(holding.newest.message)
    for each in holding.remotes:
        yield " ("
        yield each.remote
        yield f": {distance(each)})"
    for name in holding.workspaces:
        yield " (workspace "
        yield name
        yield ")"
    if holding.description:
        yield " - "
        yield subject(holding.description)


def distance(against: Against) -> str:
    """Return how far a bookmark is from a remote's."""
    parts = [(against.ahead, "ahead"), (against.behind, "behind")]
    return ", ".join(f"{count} {way}" for count, way in parts if count) or "the same"


def tag_record(tag: Tag) -> Record:
    """Return a tag for JSON."""
    record = record_of(tag.held)
    if tag.annotation is not None:
        record["message"] = tag.annotation.message
        if tag.annotation.tagger is not None:
            record["tagger"] = tag.annotation.tagger
        if tag.annotation.time is not None:
            record["date"] = rfc3339(tag.annotation.time)
    return record


def tag_lines(tag: Tag) -> Iterator[tuple[Part, ...]]:
    """Yield all of a tag for people."""
    yield Styled("heading", "tag "), Styled("heading", tag.held.name)
    yield "state:  ", Styled("id", state_of(tag.held.heads, tag.held.absent))
    annotation = tag.annotation
    if annotation is None:
        return
    if annotation.tagger is not None:
        yield "tagger: ", Styled("author", annotation.tagger)
    if annotation.time is not None:
        yield "date:   ", readable(annotation.time)
    yield ("",)
    for line in annotation.message.removesuffix(b"\n").split(b"\n"):
        yield ("    ", line.removesuffix(b"\r")) if line else ("",)


def row_of(held: Held) -> tuple[Part, ...]:
    """Return a name and the heads of its state for people."""
    return held.name, " ", Styled("id", state_of(held.heads, held.absent))


def state_of(heads: Sequence[bytes], absent: Sequence[bytes]) -> str:
    """Return the name of a state for people: its heads, then what is absent from it."""
    shown = [short(name) for name in heads] or ["(empty)"]
    return " ".join([*shown, *(f"-{short(name)}" for name in absent)])
