"""Bookmarks and tags shown to people, and as JSON (spec: command-line)."""

from __future__ import annotations

from oxy.cli.output import Styled
from oxy.model.digest import short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from oxy.actions.bookmarks import Held
    from oxy.cli.output import Part
    from oxy.cli.records import Scalar


def record_of(held: Held) -> dict[str, bytes | Scalar | Sequence[Scalar]]:
    """Return a name for JSON; `absent` is there where some changes are."""
    record: dict[str, bytes | Scalar | Sequence[Scalar]] = {
        "name": held.name,
        "state": [head.hex() for head in held.heads],
    }
    if held.absent:
        record["absent"] = [name.hex() for name in held.absent]
    return record


def row_of(held: Held) -> tuple[Part, ...]:
    """Return a name and the heads of its state for people."""
    return held.name, " ", Styled("id", state_of(held.heads, held.absent))


def state_of(heads: Sequence[bytes], absent: Sequence[bytes]) -> str:
    """Return the name of a state for people: its heads, then what is absent from it."""
    shown = [short(name) for name in heads] or ["(empty)"]
    return " ".join([*shown, *(f"-{short(name)}" for name in absent)])
