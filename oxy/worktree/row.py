"""One directory of the manifest, and how a listing differs from it (spec: CP12 to CP16). Pure.

A row is a list of facts that stay true (this file with this stat had this content), except
within a tick of the clock: a file changed twice in one tick has one stat. So a row holds the
file system's time from before its contents were read, and an entry that is not older is racy.
"""

from collections.abc import Iterable, Iterator, Mapping
from oxy.typed import Final, NamedTuple

from oxy.worktree.listing import RECORD, Listing

KEY_SIZE: Final = 16
DIGEST_SIZE: Final = 32
UNKNOWN: Final = bytes(RECORD.size)
"""A record that equals no file's: the name is tracked, what is on disk was not looked at."""

MARK_SIZE: Final = KEY_SIZE + DIGEST_SIZE
"""Bytes of key and digest together."""


class Entry(NamedTuple):
    """One file: its stat, and the version key and digest of the content it had then."""

    name: bytes
    record: bytes
    key: bytes
    digest: bytes


class Row(NamedTuple):
    """One directory: the tracked names, their stats and marks, and how old a stat must be.

    `joined` and `stats` are as in a listing. `clock` is the file system's time (ns) from before
    the contents were read, `newest` the newest mtime or ctime among the records.
    """

    path: bytes
    joined: bytes
    stats: bytes
    marks: bytes
    clock: int
    newest: int

    @classmethod
    def of(cls, path: bytes, entries: Iterable[Entry], clock: int) -> "Row":
        """Make a row from entries in any order."""
        ordered = sorted(entries)
        stats = b"".join(entry.record for entry in ordered)
        return cls(
            path,
            b"\0".join(entry.name for entry in ordered),
            stats,
            b"".join(entry.key + entry.digest for entry in ordered),
            clock,
            _newest(stats),
        )

    def places(self) -> dict[bytes, int]:
        """Return where each file stands, for `entry`."""
        names = self.joined.split(b"\0") if self.joined else ()
        return {name: place for place, name in enumerate(names)}

    def entry(self, name: bytes, place: int) -> Entry:
        """Return the file of a name that stands at a place."""
        mark = self.marks[place * MARK_SIZE : (place + 1) * MARK_SIZE]
        record = self.stats[place * RECORD.size : (place + 1) * RECORD.size]
        return Entry(name, record, mark[:KEY_SIZE], mark[KEY_SIZE:])

    def entries(self) -> Iterator[Entry]:
        """Yield the files by name."""
        for i, name in enumerate(self.joined.split(b"\0") if self.joined else ()):
            mark = self.marks[i * MARK_SIZE : (i + 1) * MARK_SIZE]
            record = self.stats[i * RECORD.size : (i + 1) * RECORD.size]
            yield Entry(name, record, mark[:KEY_SIZE], mark[KEY_SIZE:])


class Verdicts(NamedTuple):
    """How a directory differs from its row; `changed` and `racy` must be looked into."""

    added: tuple[bytes, ...] = ()
    removed: tuple[bytes, ...] = ()
    changed: tuple[bytes, ...] = ()
    racy: tuple[bytes, ...] = ()


UNCHANGED: Final = Verdicts()


def compare(listing: Listing, row: Row | None) -> Verdicts:
    """Hold a listing against its row; the very same names and stats give `UNCHANGED`.

    Cost: two comparisons of bytes if nothing differs and nothing is racy.
    """
    if row is None:
        return Verdicts(added=listing.names) if listing.joined else UNCHANGED
    if (
        listing.stats == row.stats
        and listing.joined == row.joined
        and row.newest < row.clock
        and listing.asked is None
    ):
        return UNCHANGED
    old = {entry.name: entry for entry in row.entries()}
    new = _records(listing)
    wanted = old.keys() if listing.asked is None else old.keys() & set(listing.asked)
    same = [name for name, record in new.items() if name in old and old[name].record == record]
    return Verdicts(
        tuple(name for name in new if name not in old),
        tuple(sorted(name for name in wanted if name not in new)),
        tuple(n for n, record in new.items() if n in old and old[n].record != record),
        tuple(name for name in same if is_racy(new[name], row.clock)),
    )


def renew(
    listing: Listing,
    row: Row | None,
    found: Mapping[bytes, tuple[bytes, bytes]],
    clock: int,
    dropped: Iterable[bytes] = (),
) -> Row:
    """Return the row after a look at the directory.

    `found` gives key and digest of the names whose content was read after `clock` and is what
    the state holds. Other tracked names keep what the row knows where that still stands, else
    their record becomes `UNKNOWN`. `dropped` names are tracked no more; a name that is neither
    in `row` nor `found` is not tracked.
    """
    if row is None and listing.asked is None and found.keys() == {*listing.names}:
        # A first look at a directory, all of it recorded: its listing is its row.
        marks = b"".join([b"".join(found[name]) for name in listing.names])
        newest = _newest(listing.stats)
        return Row(listing.path, listing.joined, listing.stats, marks, clock, newest)
    new = _records(listing)
    entries = {name: Entry(name, new[name], *mark) for name, mark in found.items()}
    for entry in row.entries() if row is not None else ():
        if entry.name in entries:
            continue
        looked_for = listing.asked is None or entry.name in listing.asked
        stands = not looked_for or new.get(entry.name) == entry.record
        if row is None or not stands or is_racy(entry.record, row.clock):
            entry = entry._replace(record=UNKNOWN)  # noqa: PLW2901 - the same entry, less known
        entries[entry.name] = entry
    for name in dropped:
        entries.pop(name, None)
    return Row.of(listing.path, entries.values(), clock)


def is_racy(record: bytes, clock: int) -> bool:
    """Tell whether the file may have changed again since, without its stat showing it."""
    _, mtime, ctime, _, _ = RECORD.unpack(record)
    return bool(mtime >= clock or ctime >= clock)


def _newest(stats: bytes) -> int:
    times = [time for _, *both, _, _ in RECORD.iter_unpack(stats) for time in both]
    return max(times, default=0)


def _records(listing: Listing) -> dict[bytes, bytes]:
    size = RECORD.size
    return {
        name: listing.stats[i * size : (i + 1) * size] for i, name in enumerate(listing.names)
    }
