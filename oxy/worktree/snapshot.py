"""Compare the working copy with its base state (spec: working-copy, reading; CP18, CP19).

Reads what the manifest does not vouch for, and nothing else. What it finds to be as the base
state has it is vouched for from then on.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from oxy.typed import Final, NamedTuple

from oxy.phase import phase
from oxy.worktree.item import UNHASHED, Item, is_open_to_all, is_symlink, size_of
from oxy.worktree.listing import RECORD, UNREADABLE, Listing, Oddity, UnreadableError
from oxy.worktree.manifest import Manifest
from oxy.worktree.parallel import walk_whole
from oxy.worktree.reader import TreeReader
from oxy.worktree.row import Entry, Row, Verdicts, compare, renew
from oxy.worktree.walk import PLAIN, Rules, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.worktree.loading import Loaded

LARGE: Final = 10 << 20
"""Bytes above which a new file has to be named to be recorded (W3)."""

ADDED: Final = "added"
DELETED: Final = "deleted"
MODIFIED: Final = "modified"
MODE: Final = "mode"
KIND: Final = "kind"
RENAMED: Final = "renamed"
RESOLVED: Final = "resolved"
"""Nothing differs, but what the file shows is the choice among values in conflict."""


class Changed(NamedTuple):
    """A path that is not as the base state has it.

    `kind` is one of those above. `item` is what the base state holds (of `source`, where the
    file was before, if it is renamed), `record` the stat of what is on disk.
    """

    path: bytes
    kind: str
    item: Item | None
    record: bytes | None
    source: bytes | None = None


class Snapshot(NamedTuple):
    """What differs, by path; what is left out and why; new files that are too large.

    Where only some hunks of a file are chosen, `partly` has what the file is with these alone.
    """

    changes: tuple[Changed, ...]
    oddities: tuple[Oddity, ...]
    large: tuple[Changed, ...]
    partly: "tuple[tuple[bytes, Loaded], ...]" = ()

    @property
    def unread(self) -> tuple[Oddity, ...]:
        """What could not be read, and was forgiven."""
        return tuple(odd for odd in self.oddities if odd.kind == UNREADABLE)


Digests = Callable[[Sequence[Item]], list[bytes]]
"""Works out the digests of what the base state holds, where the manifest has none."""

BATCH: Final = 512
"""How many of them are asked for at once: as long others wait for their commits."""


def take(
    root: int,
    manifest: Manifest,
    digests: Digests,
    clock: int,
    only: Sequence[bytes] | None = None,
    rules: Rules = PLAIN,
) -> tuple[Snapshot, list[Row]]:
    """Return what differs from the base state, and the rows that are better known now.

    Args:
        root: the descriptor of the working copy.
        manifest: the base state.
        digests: see Digests.
        clock: the file system's time before this call.
        only: the paths to look at; they may be large. None is everything.
        rules: what is said of paths, and whether what is left out is told.

    Cost: a stat for each file, and a read of each whose stat is not the manifest's.

    Raises:
        UnreadableError: a part of the working copy cannot be read, and that is not forgiven or
            it is a file of `only`.
        ChangedError: a file was written while it was read.
    """
    looker = _Looker(root, manifest, digests, clock, only, rules)
    try:
        with phase("walk"):
            if only is None:
                listings = walk_whole(root, manifest, rules)
            else:
                listings = walk(root, manifest, only, rules=rules)
            for listing in listings:
                looker.look(listing)
            looker.look_for_lost()
    finally:
        looker.close()
    return looker.snapshot(), looker.rows


class _Looker:
    """Goes through the listings of one walk."""

    __slots__ = (
        "_changes",
        "_clock",
        "_digests",
        "_forgives",
        "_large",
        "_manifest",
        "_noted",
        "_oddities",
        "_only",
        "_reader",
        "_seen",
        "rows",
    )

    def __init__(
        self,
        root: int,
        manifest: Manifest,
        digests: Digests,
        clock: int,
        only: Sequence[bytes] | None,
        rules: Rules,
    ) -> None:
        self._manifest = manifest
        self._digests = digests
        self._clock = clock
        self._only = only
        self._noted = rules.noted
        self._forgives = rules.forgives
        self._reader = TreeReader(root)
        self._seen: set[bytes] = set()
        self._changes: list[Changed] = []
        self._oddities: list[Oddity] = []
        self._large: list[Changed] = []
        self.rows: list[Row] = []

    def close(self) -> None:
        self._reader.close()

    def snapshot(self) -> Snapshot:
        """Return what was found, in the order of paths."""
        return Snapshot(
            tuple(sorted(self._changes, key=lambda change: change.path)),
            tuple(sorted(self._oddities)),
            tuple(sorted(self._large, key=lambda change: change.path)),
        )

    def look(self, listing: Listing) -> None:
        """Hold one directory against the base state."""
        if listing.asked is None:
            self._seen.add(listing.path)
        self._oddities += listing.oddities
        row = self._manifest.row(listing.path)
        verdicts = compare(listing, row)
        if not any(verdicts):
            return
        records = _records(listing)
        for name in verdicts.added:
            self._add(_under(listing.path, name), records[name])
        if row is not None:
            self._compare(listing, row, verdicts, records)

    def look_for_lost(self) -> None:
        """Report what was in directories that are not there any more."""
        hidden = tuple(odd.path for odd in self._oddities if odd.kind == UNREADABLE)
        for directory in self._manifest.directories():
            row = self._manifest.row(directory)
            if row is None or directory in self._seen or not self._is_asked(directory):
                continue
            if hidden and (directory + b"/").startswith(hidden):
                continue
            for entry in row.entries():
                self._lose(directory, entry)

    def _is_asked(self, directory: bytes) -> bool:
        return self._only is None or any(
            not path or directory == path or directory.startswith(path + b"/")
            for path in self._only
        )

    def _compare(
        self, listing: Listing, row: Row, verdicts: Verdicts, records: dict[bytes, bytes]
    ) -> None:
        entries = {entry.name: entry for entry in row.entries()}
        for name in verdicts.removed:
            self._lose(listing.path, entries[name])
        found: dict[bytes, tuple[bytes, bytes]] = {}
        doubtful = (*verdicts.changed, *verdicts.racy)
        for name, item in self._hashed([(name, Item.of(entries[name])) for name in doubtful]):
            path = _under(listing.path, name)
            try:
                changed = self._difference(path, item, records[name])
            except UnreadableError as error:
                self._forgive(path, error)
                continue
            if changed is None:
                found[name] = (item.key, item.digest)
            else:
                self._changes.append(changed)
        if found:
            self.rows.append(renew(listing, row, found, self._clock))

    def _hashed(self, items: list[tuple[bytes, Item]]) -> Iterator[tuple[bytes, Item]]:
        """Yield names and items in batches, the items with their digests."""
        for start in range(0, len(items), BATCH):
            batch = items[start : start + BATCH]
            asked = [item for _, item in batch if item.digest == UNHASHED]
            digests = iter(self._digests(asked) if asked else ())
            for name, item in batch:
                is_known = item.digest != UNHASHED
                yield name, item if is_known else item._replace(digest=next(digests))

    def _difference(self, path: bytes, item: Item, record: bytes) -> Changed | None:
        """Read a file and tell how it differs, if it does."""
        same_type = is_symlink(record) == item.is_symlink
        with phase("read"):
            same_bytes = same_type and digest_of(self._reader, path, record) == item.digest
        if same_bytes and item.fits(record):
            return None
        kind = MODE if same_bytes else MODIFIED if same_type else KIND
        return Changed(path, kind, item, record)

    def _forgive(self, path: bytes, error: UnreadableError) -> None:
        if not self._forgives or (self._only is not None and path in self._only):
            raise error
        self._oddities.append(error.forgiven(path))

    def _add(self, path: bytes, record: bytes) -> None:
        if self._forgives and not is_open_to_all(record):
            try:
                self._reader.probe(path)
            except UnreadableError as error:
                self._forgive(path, error)
                return
        is_named = (self._only is not None and path in self._only) or self._noted.names(path)
        is_large = size_of(record) > LARGE and not is_named
        (self._large if is_large else self._changes).append(Changed(path, ADDED, None, record))

    def _lose(self, directory: bytes, entry: Entry) -> None:
        path = _under(directory, entry.name)
        self._changes.append(Changed(path, DELETED, Item.of(entry), None))


def digest_of(reader: TreeReader, path: bytes, record: bytes) -> bytes:
    """Return the digest of a file's bytes, or of where a symlink points.

    Raises:
        ChangedError: it is not what the record says, or was written meanwhile.
    """
    from blake3 import blake3

    from oxy.worktree.reader import ChangedError

    if is_symlink(record):
        content = reader.target(path)
        found, digest = content.record, blake3(content.data).digest()
    else:
        hasher = blake3()
        records: list[bytes] = []
        for chunk in reader.chunks(path, records):
            hasher.update(chunk)
        found, digest = records[0], hasher.digest()
    if found != record:
        raise ChangedError(path)
    return digest


def _records(listing: Listing) -> dict[bytes, bytes]:
    size = RECORD.size
    return {
        name: listing.stats[i * size : (i + 1) * size] for i, name in enumerate(listing.names)
    }


def _under(directory: bytes, name: bytes) -> bytes:
    return directory + b"/" + name if directory else name


def rows_of(items: Iterable[tuple[bytes, Item, bytes]], clock: int) -> list[Row]:
    """Return the rows of (path, item, record); of what nobody looked at it is UNKNOWN."""
    grouped: dict[bytes, list[Entry]] = {}
    for path, item, record in items:
        directory, _, name = path.rpartition(b"/")
        grouped.setdefault(directory, []).append(item.entry(name, record))
    return [Row.of(directory, entries, clock) for directory, entries in grouped.items()]


def advance(
    manifest: Manifest,
    changes: dict[bytes, tuple[Item, bytes] | None],
    clock: int,
    state: bytes,
    fresh: Iterable[Row] = (),
) -> bool:
    """Bring a manifest from its state to another: what changed, with records, or None if gone.

    `fresh` are rows of directories that had none, of what was just written there.
    Cost: the rows of the directories in which something changed.
    """
    from oxy.worktree.row import UNKNOWN, is_racy

    grouped: dict[bytes, dict[bytes, tuple[Item, bytes] | None]] = {}
    for path, held in changes.items():
        directory, _, name = path.rpartition(b"/")
        grouped.setdefault(directory, {})[name] = held
    made = {row.path: row._replace(clock=clock) for row in fresh}
    rows: list[Row] = []
    for directory, names in grouped.items():
        row = made.pop(directory, None) or manifest.row(directory)
        entries = {entry.name: entry for entry in (row.entries() if row else ())}
        for name, entry in entries.items():
            if row is None or is_racy(entry.record, row.clock):
                entries[name] = entry._replace(record=UNKNOWN)
        for name, held in names.items():
            entries.pop(name, None)
            if held is not None:
                item, record = held
                entries[name] = item.entry(name, record)
        rows.append(Row.of(directory, entries.values(), clock))
    return manifest.update([*made.values(), *rows], (), state)
