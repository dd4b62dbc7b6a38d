"""A stranger's change, proven while its edits pass one by one (spec: model, M18, M19). Pure.

Types, ranges, order and references are proven, and that it is written in the one canonical
form. What it names, other changes and blobs, is not looked at.
"""

from array import array
from collections.abc import Iterator
from oxy.typed import TypeAlias

from oxy.codec import build
from oxy.codec.atonce import NOT_CANONICAL, SMALL, AtOnce
from oxy.codec.encode import inside_strings, start_of
from oxy.codec.form import RawNode, proven_node, proven_operations
from oxy.codec.limits import ITEMS, OPERATIONS
from oxy.codec.nodewise import Nodewise
from oxy.codec.packed import PackedNodes
from oxy.codec.shape import NodesCheck
from oxy.codec.wire import MalformedError, count, pack, unpack
from oxy.model.change import Header, Operations
from oxy.model.digest import ChangeId
from oxy.model.operation import Directory, NodeEdit


class Proving:
    """The operations of a change whose header is proven, on their way in.

    `sizes` are the encoded sizes of the edits that have passed.
    """

    __slots__ = ("_data", "_walk", "directories", "header", "sizes", "weak")

    def __init__(self, header: Header, data: bytes) -> None:
        """Take what comes before the edits.

        Raises:
            MalformedError: a rule of the encoding is broken.
        """
        if len(data) > OPERATIONS:
            rule = f"its operations are over {OPERATIONS} bytes"
            raise MalformedError(rule, f"{len(data)}")
        self.header = header
        self._data = data
        self._walk = Nodewise(data)
        count(self._walk.bare)
        weak, directories, _ = proven_operations(unpack(self._walk.bare))
        self.weak = tuple(map(ChangeId, weak))
        self.directories = tuple([Directory(*item) for item in directories])
        self.sizes = array("I")

    def edits(self) -> Iterator[NodeEdit]:
        """Yield each edit once it is proven; the operations are when they have ended.

        Cost: memory for one edit.

        Raises:
            MalformedError: a rule of the encoding is broken.
        """
        check = NodesCheck(self.header, self.weak, self.directories)
        items = len(self._walk.start)
        for data in self._walk:
            raw = self._unpacked(data)
            edit = build.node(raw)
            check.take(edit)
            if check.broken is not None:
                raise MalformedError(check.broken)
            if pack(raw) != data:
                raise MalformedError(NOT_CANONICAL)
            items += len(data) - inside_strings(edit)
            self.sizes.append(len(data))
            yield edit
        self._end(check.broken or check.left(), items)

    def _unpacked(self, data: bytes) -> RawNode:
        try:
            return proven_node(unpack(data))
        except MalformedError as error:
            raise self._walk.refused() from error

    def _end(self, broken: str | None, items: int) -> None:
        if broken is not None:
            raise MalformedError(broken)
        if items > ITEMS:
            # There may be too many, and are if one looks.
            count(self._data)
        if self._walk.start != start_of(self.weak, self.directories, self._walk.nodes):
            raise MalformedError(NOT_CANONICAL)

    def operations(self) -> Operations:
        """Return the operations, every edit of which has passed; they stay encoded."""
        return Operations(self.weak, self.directories, PackedNodes(self._data, self.sizes))


Passing: TypeAlias = AtOnce | Proving
"""Operations whose edits pass one by one."""


def passing(header: Header, data: bytes) -> Passing:
    """Return the operations of a change whose header is proven, on their way in.

    Raises:
        MalformedError: a rule of the encoding is broken.
    """
    return AtOnce(header, data) if len(data) <= SMALL else Proving(header, data)
