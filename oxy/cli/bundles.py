"""What a bundle says of itself, shown to people and as JSON (spec: command-line, bundle)."""

from __future__ import annotations

from oxy.cli.outcome import counted
from oxy.cli.output import Styled
from oxy.model.digest import short
from oxy.repo.refs import TAG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from oxy.cli.output import Output
    from oxy.cli.records import Record, Scalar
    from oxy.sync.bundle import Head
    from oxy.sync.frames import Counts


def tell_head(out: Output, head: Head, counts: Counts) -> None:
    """Tell the names, the counts and the needs of a bundle."""
    for each in head.names:
        kind = "tag " if each.kind == TAG else ""
        state = ", ".join(short(name) for name in each.heads) or "nothing"
        out.line(kind, Styled("heading", each.name), " at ", Styled("id", state))
    blobs = f", {counts.blobs} large contents" if counts.blobs else ""
    out.line(counted(counts.changes), blobs)
    for name in head.needs:
        out.line("needs ", Styled("id", short(name)))


def record_of_head(
    head: Head, counts: Counts
) -> dict[str, bytes | Scalar | Sequence[Scalar | Record]]:
    """Return it for JSON."""
    return {
        "names": [
            {
                "kind": "tag" if each.kind == TAG else "bookmark",
                "name": each.name,
                "state": [name.hex() for name in each.heads],
                "absent": [name.hex() for name in each.absent],
            }
            for each in head.names
        ],
        "changes": counts.changes,
        "blobs": counts.blobs,
        "needs": [name.hex() for name in head.needs],
    }
