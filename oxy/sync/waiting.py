"""Blobs that came whole and wait for the change that names them (spec: sync, SY9, SY66).

What a transfer that was lost leaves: whoever goes on tells which are there, and they are not
sent again. Only a hint: where it is gone they come once more.
"""

from collections.abc import Sequence

from oxy.repo.tables import WAITING, pair, unpair
from oxy.store.protocol import BLOB, Reader, Transaction
from oxy.sync import limits

_KEY = b""


def waiting(reader: Reader) -> Sequence[bytes]:
    """Return the ids of blobs that wait, ascending. Cost: a row, and the ids."""
    row = reader.row(WAITING, _KEY)
    if row is None:
        return ()
    first, last = unpair(row)
    last = min(last, reader.count(BLOB))
    gone = set(reader.all_gone(BLOB))
    there = range(max(first, last + 1 - limits.WAITING), last + 1)
    return sorted(reader.ids_of(BLOB, [number for number in there if number not in gone]))


def note_waiting(transaction: Transaction, first: int) -> None:
    """Note that the blobs from a number on wait; those that are noted already wait on."""
    row = transaction.row(WAITING, _KEY)
    if row is not None:
        first = min(first, unpair(row)[0])
    last = transaction.count(BLOB)
    if first <= last:
        transaction.put(WAITING, _KEY, pair(first, last))


def forget_waiting(transaction: Transaction) -> None:
    """Note that none waits."""
    if transaction.row(WAITING, _KEY) is not None:
        transaction.delete(WAITING, _KEY)
