"""The log of a bucket: one sequence that all writers agree on (spec: sync, SY23, SY24, SY92).

    oxy/log/<20 digits>   an entry, created only if absent
    oxy/newest            the number of an entry with a new base, in 20 digits: a hint, from
                          which on the log is listed; if it is old or gone, the list is longer

Reading takes the hint, a list, the newest entry and its base: four requests.
"""

import io
import os
from oxy.typed import Final, NamedTuple

from oxy.sync import limits
from oxy.sync.bucket.entry import (
    WRITER_SIZE,
    Base,
    Entry,
    Key,
    State,
    after,
    decode_entry,
    decode_snapshot,
    encode_entry,
    encode_snapshot,
    renamed,
)
from oxy.sync.bucket.growing import grown
from oxy.sync.bucket.index import Row
from oxy.sync.bucket.kept import GoneMeanwhileError, Kept
from oxy.sync.bucket.objects import Objects, whole
from oxy.sync.endpoint import Offered
from oxy.sync.errors import RefusedTransferError

LOG: Final = "oxy/log"
HINT: Final = "oxy/newest"
_DIGITS: Final = 20
_ATTEMPTS: Final = 8


class Read(NamedTuple):
    """What a bucket held after an entry; `entry` is None before the first."""

    entry: Entry | None
    base: State
    state: State

    @property
    def number(self) -> int:
        """The number of the entry; 0 before the first."""
        return 0 if self.entry is None else self.entry.number

    @property
    def collections(self) -> int:
        """How often something had been dropped."""
        return 0 if self.entry is None else self.entry.collections


class Doing(NamedTuple):
    """What an entry is to do: rows behind the others, names that hold something, names that go.

    Attributes:
        whole: the index to begin anew from, where something is dropped.
    """

    rows: tuple[Row, ...]
    names: tuple[Offered, ...] = ()
    gone: tuple[Key, ...] = ()
    whole: tuple[Row, ...] | None = None


EMPTY: Final = Read(None, State(), State())


def entry_name(number: int) -> str:
    """Return the name of an entry: names ascend as numbers do."""
    return f"{LOG}/{number:0{_DIGITS}}"


class Log:
    """The log of a bucket."""

    __slots__ = ("_kept", "_objects")

    def __init__(self, objects: Objects, kept: Kept) -> None:
        self._objects = objects
        self._kept = kept

    def newest(self) -> Read:
        """Return what the bucket holds now.

        Cost: four requests; the names, and what stays of the index in a snapshot.

        Raises:
            LostError, RefusedTransferError: it does not come, or is not what it has to be.
        """
        for left in reversed(range(_ATTEMPTS)):
            number = self._last()
            if not number:
                return EMPTY
            try:
                return self.read(number, EMPTY)
            except GoneMeanwhileError:
                # It was superseded between the list and its reading, and swept away.
                if not left:
                    raise
        return EMPTY

    def read(self, number: int, known: Read) -> Read:
        """Return what the bucket held after an entry; `known` may have the same base."""
        entry = self.entry(number)
        if entry is None:
            raise GoneMeanwhileError(entry_name(number))
        if entry.base is None:
            base = State()
        elif known.entry is not None and known.entry.base == entry.base:
            base = known.base
        else:
            base = self.snapshot(entry.base)
        return Read(entry, base, after(base, entry))

    def snapshot(self, base: Base) -> State:
        """Return the state of a base."""
        return decode_snapshot(self._kept.read(base.snapshot))

    def entry(self, number: int) -> Entry | None:
        """Return an entry; None where there is none."""
        data = whole(self._objects, entry_name(number), limits.ENTRY)
        return None if data is None else decode_entry(data, number)

    def newer(self, known: Read) -> Read:
        """Return what the bucket holds now. Cost: two requests, and a base if it is another."""
        found = self._objects.names(LOG, entry_name(known.number))
        last = max((number_in(each.name) for each in found), default=0)
        return self.read(last, known) if last else known

    def _last(self) -> int:
        """Return the number of the newest entry; 0 where there is none."""
        start = _number((whole(self._objects, HINT, _DIGITS) or b"").decode("ascii", "replace"))
        behind = entry_name(start - 1) if start else ""
        found = [each.name for each in self._objects.names(LOG, behind)]
        if not found and start:
            found = [each.name for each in self._objects.names(LOG)]
        return max(map(number_in, found), default=0)

    def append(self, on: Read, doing: Doing) -> Read | None:
        """Write the entry behind one that was read; None if somebody else did.

        Cost: one request; of 32 entries one also writes a snapshot, and the hint.
        """
        entry, base = self._next(on, doing)
        data = encode_entry(entry)
        if len(data) > limits.ENTRY:
            rule = f"an entry is over {limits.ENTRY} bytes"
            raise RefusedTransferError(rule)
        name = entry_name(entry.number)
        if not self._objects.create(name, io.BytesIO(data), len(data)):
            # The store may have taken it, and the answer may have been lost.
            there = self.entry(entry.number)
            if there is None or there.writer != entry.writer:
                return None
        if entry.base is not None and entry.base.number == on.number:
            self._objects.replace(HINT, hint(entry.number))
        return Read(entry, base, after(base, entry))

    def _next(self, on: Read, doing: Doing) -> tuple[Entry, State]:
        """Return the next entry, and the state of its base."""
        writer = os.urandom(WRITER_SIZE)
        number, count = on.number + 1, on.collections
        old = None if on.entry is None else on.entry.base
        since = number - (0 if old is None else old.number)
        if doing.whole is None and since <= limits.SINCE:
            before = on.entry or Entry(0, b"", 0, None, (), (), ())
            gone = {*before.gone, *doing.gone} - {
                (each.kind, each.name) for each in doing.names
            }
            names = renamed(before.names, doing.names, doing.gone)
            rows = before.rows + doing.rows
            return Entry(number, writer, count, old, rows, names, tuple(sorted(gone))), on.base
        rows = on.state.rows if doing.whole is None else doing.whole
        state = State(grown(self._kept, rows), on.state.names)
        if doing.whole is not None:
            count += 1
        base = None
        if on.number:
            base = Base(on.number, self._kept.keep_list(encode_snapshot(state)))
        entry = Entry(number, writer, count, base, doing.rows, doing.names, doing.gone)
        return entry, state


def number_in(name: str) -> int:
    """Return the number of the entry that is called so; 0 for what is none."""
    return _number(name.removeprefix(LOG + "/"))


def hint(number: int) -> bytes:
    """Return the hint that begins at an entry."""
    return f"{number:0{_DIGITS}}".encode()


def _number(digits: str) -> int:
    """Return the number that digits say; 0 for what is none."""
    is_one = len(digits) == _DIGITS and digits.isascii() and digits.isdigit()
    return int(digits) if is_one else 0
