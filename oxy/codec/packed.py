"""Edits of nodes in encoded form, decoded when somebody looks at one (spec: model). Pure."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
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

    __slots__ = ("_data", "_ends")

    def __init__(self, data: bytes, sizes: Iterable[int]) -> None:
        """Take bytes that end in edits of these sizes."""
        self._data = data
        self._ends = array("Q", [0])
        for size in sizes:
            self._ends.append(self._ends[-1] + size)
        start = len(data) - self._ends[-1]
        self._ends = array("Q", [end + start for end in self._ends])

    def __len__(self) -> int:
        """Return how many nodes there are."""
        return len(self._ends) - 1

    @overload
    def __getitem__(self, at: int) -> NodeEdit: ...

    @overload
    def __getitem__(self, at: "_Slice") -> tuple[NodeEdit, ...]: ...

    def __getitem__(self, at: "int | _Slice") -> "NodeEdit | tuple[NodeEdit, ...]":
        """Return one edit, or some."""
        if isinstance(at, slice):
            return tuple(self[i] for i in range(len(self))[at])
        at = range(len(self))[at]
        return self._edit(self._ends[at], self._ends[at + 1])

    def __iter__(self) -> Iterator[NodeEdit]:
        """Decode one after the other."""
        return (self._edit(start, end) for start, end in pairwise(self._ends))

    def _edit(self, start: int, end: int) -> NodeEdit:
        return build.node(cast("RawNode", unpack(self._data[start:end])))
