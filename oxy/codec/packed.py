"""Edits of nodes in encoded form, decoded when somebody looks at one (spec: model). Pure."""

from collections.abc import Iterator, Sequence
from oxy.typed import TYPE_CHECKING, TypeAlias, cast, overload

from oxy.codec import build
from oxy.codec.wire import unpack
from oxy.model.operation import NodeEdit

if TYPE_CHECKING:
    from oxy.codec.form import RawNode

_Slice: TypeAlias = "slice[int | None, int | None, int | None]"


class PackedNodes(Sequence[NodeEdit]):
    """The nodes of a change that is too large to be held as values; a tenth of the memory.

    Cost: a decoding of each edit that is looked at, each time.
    """

    __slots__ = ("_packed",)

    def __init__(self, packed: Sequence[bytes]) -> None:
        """Take what `oxy.codec.encode` made."""
        self._packed = packed

    def __len__(self) -> int:
        """Return how many nodes there are."""
        return len(self._packed)

    @overload
    def __getitem__(self, at: int) -> NodeEdit: ...

    @overload
    def __getitem__(self, at: "_Slice") -> "PackedNodes": ...

    def __getitem__(self, at: "int | _Slice") -> "NodeEdit | PackedNodes":
        """Return one edit, or some, still encoded."""
        if isinstance(at, slice):
            return PackedNodes(self._packed[at])
        return _unpacked(self._packed[at])

    def __iter__(self) -> Iterator[NodeEdit]:
        """Decode one after the other."""
        return map(_unpacked, self._packed)


def _unpacked(data: bytes) -> NodeEdit:
    return build.node(cast("RawNode", unpack(data)))
