"""The rows that a repository derives from its objects (spec: store, ST3).

Keys are big-endian numbers, so that rows of one thing are neighbours in order of arrival.
"""

from collections.abc import Sequence
from oxy.typed import Final
from struct import Struct
from struct import error as StructError  # noqa: N812 - it is a class

from oxy.errors import CorruptionError

NODE: Final = 1
"""node number to node id, where it was created (change number, position), and its kind."""

NODE_ID: Final = 2
"""node id to node number."""

TOUCH: Final = 3
"""node number, change number to where in the change's payload the node's edit is."""

CHANGED: Final = 4
"""change number to the numbers of the nodes that it touches."""

WRITE: Final = 5
"""node number, change number to the register writes."""

LINK: Final = 6
"""change number to the heads and absent changes of its context, and its dependencies."""

STATE: Final = 7
"""change number to the state of that change."""

REF: Final = 8
"""kind and name of a bookmark, a tag or the working copy to what it holds."""

COUNT: Final = 9
"""a name to a counter."""

REPLACED: Final = 10
"""id of a change, number of one that was recorded in its place, to nothing; that number alone
likewise."""

AWAITED: Final = 11
"""id of a change that was named weakly and not stored, number of the change that names it, to
the numbers of the nodes whose texts are concerned."""

LATE: Final = 12
"""node number, number of a change that came after one that names it weakly in that node."""

DIRECTORY: Final = 13
"""identity path of a directory, NUL, number of a change that moves it, to its write."""

HEADER: Final = 14
"""change number to the digest of its operations, and its header."""

ARRIVAL: Final = 15
"""number of each 64th change to a digest of the ids of all changes up to it."""

LEFT: Final = 16
"""place, NUL, number of a node that a change took from there."""

SIGNED: Final = 17
"""number of a change, number of a signature of it, to nothing."""

HEADERS: Final = 18
"""number, divided by a span, of changes to their header rows, together."""

GIT: Final = 64
"""id of a Git commit to the number of the change that was made of it."""

PARTIAL: Final = 65
"""number of a change that lacks something of its Git commit, or of one beneath, to nothing."""

WAITING: Final = 66
"""nothing to the numbers of the first and the last blob that wait for a change. It follows from
no object, so it is not among TABLES."""

PROMISED: Final = 67
"""id of a blob that changes name and that a remote has promised, to its length and its lines.
Made anew where it is gone (`promised.learn`), and not among TABLES: it follows from what is not
stored too."""

TABLES: Final = (*range(NODE, HEADERS + 1), GIT, PARTIAL)
"""Every table of what follows from objects, in order."""


class MalformedRowError(CorruptionError):
    """A row of the index does not have the form of what it is to be."""

    def __init__(self, what: str) -> None:
        super().__init__(f"a row of the index is no {what}")


_ONE: Final = Struct(">I")
_TWO: Final = Struct(">II")


def key(number: int) -> bytes:
    """Return the key of a number."""
    return _ONE.pack(number)


def pair(first: int, second: int) -> bytes:
    """Return the key of two numbers."""
    return _TWO.pack(first, second)


def number(data: bytes) -> int:
    """Return the last number of a key."""
    return int.from_bytes(data[-4:], "big")


def unpair(data: bytes) -> tuple[int, int]:
    """Return the two numbers of a key or a value.

    Raises:
        MalformedRowError: they are not two.
    """
    try:
        first, second = _TWO.unpack(data)
    except StructError as error:
        what = "pair of numbers"
        raise MalformedRowError(what) from error
    return int(first), int(second)


def numbers(values: Sequence[int]) -> bytes:
    """Pack numbers one after the other."""
    return Struct(f">{len(values)}I").pack(*values)


def unpack_numbers(data: bytes) -> tuple[int, ...]:
    """Return packed numbers.

    Raises:
        MalformedRowError: they are none.
    """
    try:
        return Struct(f">{len(data) // 4}I").unpack(data)
    except StructError as error:
        what = "list of numbers"
        raise MalformedRowError(what) from error
