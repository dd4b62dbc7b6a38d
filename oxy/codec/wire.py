"""The subset of msgpack that changes are written in (spec: model, encoding). Pure.

Arrays, integers, bytes and nil. Whatever a stranger sent is walked before it is unpacked:
msgpack makes room for every array at its word, and turns one byte into a hundred.
"""

from oxy.typed import Final, TypeAlias

import msgpack

from oxy.codec.limits import ITEMS
from oxy.errors import CorruptionError
from oxy.model.change import FORMAT

Raw: TypeAlias = object
"""What the subset holds: integers, bytes, nil and tuples of these."""


class MalformedError(CorruptionError):
    """Bytes that claim to be a change break a rule of the encoding."""

    def __init__(self, rule: str, detail: str = "") -> None:
        super().__init__(f"not a change: {rule}" + (f" ({detail})" if detail else ""))
        self.rule = rule
        self.detail = detail


class FormatError(CorruptionError):
    """A change is of a newer format than this oxy reads."""

    def __init__(self, version: int) -> None:
        super().__init__(
            f"the change has format {version}; this oxy reads {FORMAT}: upgrade oxy"
        )
        self.version = version


def _widths() -> tuple[int, ...]:
    """Return, for each first byte, the bytes that its item takes before any content."""
    table = [1] * 0x80 + [0] * 0x10 + [1] * 0x10 + [0] * 0x40 + [1] * 0x20
    table[0xC0] = 1
    table[0xC4:0xC7] = 2, 3, 5
    table[0xCC:0xD4] = 2, 3, 5, 9, 2, 3, 5, 9
    table[0xDC:0xDE] = 3, 5
    return tuple(table)


_WIDTHS: Final = _widths()
_DEBTS: Final = (*[-1] * 0x90, *range(-1, 15), *[-1] * 0x60)
"""For each first byte, the items that it promises, less itself; long arrays say it after."""

_BINS: Final = range(0xC4, 0xC7)
_ARRAYS: Final = range(0xDC, 0xDE)


def count(data: bytes, limit: int = ITEMS) -> int:
    """Return how many items msgpack bytes hold, having proven that they hold together.

    Arrays promise no more items than there are bytes left, no type stands there that is not in
    use, and the bytes end with the last item.
    Cost: one step an item, stopped at the limit; no memory.

    Raises:
        MalformedError: a rule of the subset is broken, or it holds too many items.
    """
    at, end, owed, seen = 0, len(data), 1, 0
    while owed and seen <= limit:
        if owed > end - at:
            rule = "it promises more than it holds"
            raise MalformedError(rule)
        first = data[at]
        width = _WIDTHS[first]
        if not width:
            rule = "a type that is not in use"
            raise MalformedError(rule, f"byte {first:#04x}")
        owed += _DEBTS[first]
        seen += 1
        if first in _ARRAYS:
            owed += int.from_bytes(data[at + 1 : at + width], "big")
        elif first in _BINS:
            width += int.from_bytes(data[at + 1 : at + width], "big")
        at += width
    if seen > limit:
        rule = f"it holds over {limit} items"
        raise MalformedError(rule)
    if at != end:
        rule = "its bytes do not end with its last item"
        raise MalformedError(rule)
    return seen


def pack(value: Raw) -> bytes:
    """Return the one msgpack form of a value of the subset."""
    packed: bytes = msgpack.packb(value)
    return packed


def pack_array_head(size: int) -> bytes:
    """Return what stands before the items of an array."""
    head: bytes = msgpack.Packer().pack_array_header(size)
    return head


def unpack(data: bytes) -> Raw:
    """Return the value that msgpack bytes hold, arrays as tuples.

    Raises:
        MalformedError: not msgpack, trailing bytes, or nested beyond what msgpack reads.
    """
    try:
        value: object = msgpack.unpackb(data, use_list=False)
    except (ValueError, TypeError) as error:
        rule = "it is not msgpack"
        raise MalformedError(rule, str(error)) from error
    return value
