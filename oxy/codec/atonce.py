"""A stranger's small change, proven in one go (spec: model, M18, M19). Pure.

What is small takes little memory whatever it promises, so it is unpacked as a whole, and its
items are counted only to tell what is wrong with them.
"""

from array import array
from collections.abc import Iterator
from oxy.typed import Final

from oxy.codec import build
from oxy.codec.encode import start_of
from oxy.codec.form import RawOperations, proven_operations
from oxy.codec.shape import NodesCheck
from oxy.codec.wire import MalformedError, count, pack, unpack
from oxy.model.change import Header, Operations
from oxy.model.digest import ChangeId
from oxy.model.operation import Directory, NodeEdit

SMALL: Final = 1 << 16
"""Bytes of operations that are unpacked at once: some MB, whatever they hold."""

NOT_CANONICAL: Final = "its encoding is not the canonical one"


class AtOnce:
    """The operations of a small change whose header is proven; see `Proving`."""

    __slots__ = ("_data", "_kept", "_raw", "directories", "header", "sizes", "weak")

    def __init__(self, header: Header, data: bytes) -> None:
        """Unpack them.

        Raises:
            MalformedError: a rule of the encoding is broken.
        """
        self.header = header
        self._data = data
        weak, directories, self._raw = _unpacked(data)
        self.weak = tuple(map(ChangeId, weak))
        self.directories = tuple([Directory(*item) for item in directories])
        self.sizes = array("I")
        self._kept: list[NodeEdit] = []

    def edits(self) -> Iterator[NodeEdit]:
        """Yield each edit once it is proven; the operations are when they have ended.

        Raises:
            MalformedError: a rule of the encoding is broken.
        """
        packed = [pack(raw) for raw in self._raw]
        start = start_of(self.weak, self.directories, len(packed))
        self.sizes.extend(map(len, packed))
        is_canonical = start + b"".join(packed) == self._data
        check = NodesCheck(self.header, self.weak, self.directories)
        for raw in self._raw:
            edit = build.node(raw)
            check.take(edit)
            if check.broken is not None:
                raise MalformedError(check.broken)
            if not is_canonical:
                break
            self._kept.append(edit)
            yield edit
        broken = check.broken or (check.left() if is_canonical else NOT_CANONICAL)
        if broken is not None:
            raise MalformedError(broken)

    def operations(self) -> Operations:
        """Return the operations, every edit of which has passed."""
        return Operations(self.weak, self.directories, tuple(self._kept))


def _unpacked(data: bytes) -> RawOperations:
    try:
        return proven_operations(unpack(data))
    except MalformedError:
        count(data)
        raise
