"""Looking up objects that come in the order of their arrival (spec: store, ST26).

Each is looked up with those that came after it, twice as many as were of use last time:
so a walk in order costs a query for many, and one in no order hardly more than one for each.
"""

from collections.abc import Callable, Iterable, Iterator
from oxy.typed import Final, Generic, TypeVar

from oxy.store.protocol import Reader

T = TypeVar("T")

MOST: Final = 256


class Neighbours(Generic[T]):
    """What is known of objects of one kind by their ids.

    Args:
        reader: where they are.
        kind: of what kind they are.
        read: yields (id, what is known) of consecutive numbers that exist.
    """

    __slots__ = ("_before", "_held", "_kind", "_read", "_reader", "_used")

    def __init__(
        self,
        reader: Reader,
        kind: int,
        read: Callable[[range], Iterable[tuple[bytes, T]]],
    ) -> None:
        self._reader = reader
        self._kind = kind
        self._read = read
        self._before: dict[bytes, T] = {}
        self._held: dict[bytes, T] = {}
        self._used = 1

    def find(self, object_id: bytes) -> T | None:
        """Return what is known of an object, or None where the index does not have it."""
        found = self._held.get(object_id)
        if found is not None:
            self._used += 1
            return found
        # Much is named once more by what comes next.
        found = self._before.get(object_id)
        if found is not None:
            return found
        number = self._reader.number_of(self._kind, object_id)
        if number is None:
            return None
        end = min(number + min(2 * self._used, MOST), self._reader.count(self._kind) + 1)
        self._before, self._held = self._held, dict(self._read(range(number, end)))
        self._used = 1
        return self._held.get(object_id)


def numbered(reader: Reader, kind: int) -> Neighbours[int]:
    """Return the numbers of objects of a kind: none of what was removed, which may be back."""
    gone = frozenset(reader.all_gone(kind))

    def read(numbers: range) -> Iterator[tuple[bytes, int]]:
        there = [number for number in numbers if number not in gone] if gone else numbers
        return zip(reader.ids_of(kind, there), there, strict=True)

    return Neighbours(reader, kind, read)
