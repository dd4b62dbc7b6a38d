"""What several changes wrote to one node's registers, as one (spec: states, S12; names, N2)."""

from collections.abc import Sequence
from oxy.typed import Final

from oxy.model.operation import (
    BYTES,
    FINAL_LF,
    KIND,
    KIND_BINARY,
    KIND_SUBREPO,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    PIN,
    PLACE,
    TARGET,
)
from oxy.repo.rewriting.parts import Part, Wrote
from oxy.repo.rewriting.refusal import UnsayableError

_HELD: Final = {
    KIND_TEXT: {PLACE, MODE, FINAL_LF},
    KIND_BINARY: {PLACE, MODE, BYTES},
    KIND_SYMLINK: {PLACE, TARGET},
    KIND_SUBREPO: {PLACE, PIN},
}
"""What a node of a kind is created with (M47)."""

_APART: Final = "two of the changes set it differently, and neither knows the other"


def composed(parts: Sequence[tuple[int, Part]]) -> tuple[int | None, tuple[Wrote, ...]] | None:
    """Return the kind that is created, if any, and the writes; what they replace is as before.

    Args:
        parts: (change, what it did to the node), each after what it knows.

    Returns:
        None where the node is made and removed again.

    Raises:
        UnsayableError: two wrote a register differently, neither in place of the other's.
    """
    sources = {source for source, _ in parts}
    created = next((part.created for _, part in parts if part.created is not None), None)
    writes: dict[int, Wrote] = {}
    for register in sorted({write.register for _, part in parts for write in part.writes}):
        said = [(s, w) for s, part in parts for w in part.writes if w.register == register]
        replaced = {change for _, write in said for change in write.replaces}
        live = {write.value for source, write in said if source not in replaced}
        if len(live) != 1:
            raise UnsayableError(_APART)
        writes[register] = Wrote(register, live.pop(), tuple(sorted(replaced - sources)))
    if created is None:
        return None, tuple(writes.values())
    if writes[PLACE].value is None:
        return None
    kind = writes[KIND].value if KIND in writes else created
    created = kind if isinstance(kind, int) else created
    return created, tuple(w for code, w in writes.items() if code in _HELD[created])
