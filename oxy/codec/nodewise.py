"""Encoded operations taken apart node by node, in bounded memory (spec: model, M46). Pure.

What is stepped over is not unpacked: so a node is proven to hold together before room is made
for what it promises.
"""

from collections.abc import Callable, Iterator
from oxy.typed import Final, TypeVar

import msgpack

from oxy.codec.wire import MalformedError, count

T = TypeVar("T")

_PARTS: Final = 3
_EMPTY: Final = b"\x90"
_SMALL: Final = 1 << 16
"""Bytes from which on items are not counted one by one, which is slow, unless they are many."""

FORM: Final = "its operations do not have the form of any"


class Nodewise:
    """The encoded parts of operations, one after the other.

    `start` are the bytes before the first node, `bare` the operations as if there were none,
    `nodes` is how many there are.
    """

    __slots__ = ("_at", "_data", "_fed", "_trusted", "_unpacker", "bare", "nodes", "start")

    def __init__(self, data: bytes, *, trusted: bool = False) -> None:
        """Step over what comes before the nodes.

        What is trusted was proven when it was taken in, and its items are not counted.

        Raises:
            MalformedError: the bytes do not hold together.
        """
        self._data = data
        # It never makes room for an array longer than all bytes that it was given.
        self._unpacker = msgpack.Unpacker(use_list=False, max_buffer_size=max(1, len(data)))
        self._fed = 0
        try:
            parts = self._step(self._unpacker.read_array_header)
            for _ in range(_PARTS - 1):
                self._step(self._unpacker.skip)
            self.bare = data[: self._unpacker.tell()] + _EMPTY
            self.nodes = self._step(self._unpacker.read_array_header)
            self._at: int = self._unpacker.tell()
        except (ValueError, msgpack.UnpackException) as error:
            raise self.refused() from error
        if parts != _PARTS:
            raise self.refused()
        self._trusted = trusted
        if len(data) <= _SMALL and not trusted:
            count(data)
        self.start = data[: self._at]

    def __iter__(self) -> Iterator[bytes]:
        """Yield the bytes of each node.

        Raises:
            MalformedError: they do not hold together, or go on behind the last node.
        """
        for _ in range(self.nodes):
            begin = self._at
            try:
                self._step(self._unpacker.skip)
            except (ValueError, msgpack.UnpackException) as error:
                raise self.refused() from error
            self._at = self._unpacker.tell()
            node = self._data[begin : self._at]
            if len(node) > _SMALL and not self._trusted:
                count(node)
            yield node
        if self._at != len(self._data):
            raise self.refused()

    def _step(self, step: Callable[[], T]) -> T:
        """Step over what comes next, of which no more is copied than that takes, twice over."""
        size = _SMALL
        while True:
            try:
                return step()
            except msgpack.OutOfData:
                if self._fed >= len(self._data):
                    raise
            self._unpacker.feed(memoryview(self._data)[self._fed : self._fed + size])
            self._fed += size
            # What it has seen of an item it sees again, so it is given more and more.
            size *= 2

    def refused(self) -> MalformedError:
        """Return what is wrong with these bytes, of which something is."""
        try:
            count(self._data)
        except MalformedError as error:
            return error
        return MalformedError(FORM)
