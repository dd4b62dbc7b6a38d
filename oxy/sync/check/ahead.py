"""Blobs that came before the change that names them (spec: sync, SY34, SY35)."""

from array import array

from oxy.model.digest import DIGEST_SIZE, BlobId
from oxy.store.protocol import BLOB
from oxy.sync import limits
from oxy.sync.check.facts import Facts
from oxy.sync.errors import RefusedObjectError


class Ahead:
    """What blobs are that wait for their change, in the order in which they came.

    A change names its blobs in that order as a rule, so what is asked for is mostly the next.
    Memory: about 50 bytes a blob; three times that once one is asked for out of its turn.
    """

    __slots__ = ("_at", "_ends", "_ids", "_index", "_lines", "_sizes", "_used")

    def __init__(self) -> None:
        self._ids = bytearray()
        self._sizes = array("Q")
        self._lines = array("Q")
        self._ends = bytearray()
        self._used = bytearray()
        self._at = 0
        self._index: dict[bytes, int] | None = None

    def add(self, name: BlobId, facts: Facts) -> None:
        """Note a blob whose bytes were proven.

        Raises:
            RefusedObjectError: too many wait already.
        """
        if len(self._used) >= limits.BLOBS_AHEAD:
            rule = f"over {limits.BLOBS_AHEAD} blobs come before what names them"
            raise RefusedObjectError(BLOB, name, rule)
        self._ids += name
        self._sizes.append(facts.size)
        self._lines.append(facts.lines)
        self._ends.append(facts.ends)
        self._used.append(0)
        self._index = None

    def take(self, name: BlobId) -> Facts | None:
        """Return what a blob is that is named now, or None if it does not wait."""
        at = self._at
        if self._id(at) != name:
            if self._index is None:
                self._index = {self._id(i): i for i in range(len(self._used))}
            found = self._index.get(name)
            if found is None:
                return None
            at = found
        self._used[at] = 1
        self._at = at + 1
        return Facts(self._sizes[at], self._lines[at], ends=bool(self._ends[at]))

    def idle(self) -> BlobId | None:
        """Return the smallest id of a blob that nothing named, if there is one."""
        if all(self._used):
            return None
        names = [self._id(i) for i in range(len(self._used))]
        used = {name for name, is_used in zip(names, self._used, strict=True) if is_used}
        return BlobId(min(set(names) - used, default=b"")) or None

    def _id(self, at: int) -> bytes:
        return bytes(self._ids[at * DIGEST_SIZE : (at + 1) * DIGEST_SIZE])
