"""Find in the index of a bucket what somebody lacks (spec: sync, SY91).

From the newest on, with the changes that are sought: what a load has to be brought for is taken
off, what its changes need and is not held is sought from there on. When nothing is sought any
more, all is found: so who lacks little reads little, however much there is.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.model.digest import ChangeId
from oxy.sync.bucket.index import Load, Row, Stored
from oxy.sync.bucket.kept import Kept
from oxy.sync.errors import RefusedTransferError

Holding = Callable[[Sequence[bytes]], Collection[bytes]]
"""Tells which of some changes are held."""


def all_loads(kept: Kept, rows: Iterable[Row]) -> Iterator[Load]:
    """Yield every load that rows tell of, oldest first. Cost: all leaves and branches."""
    for row in rows:
        yield from all_loads(kept, kept.branch(row)) if row.level else kept.leaf(row)


class Found(NamedTuple):
    """The loads that are lacking, in order of need, and the changes that they stand on."""

    loads: tuple[Stored, ...]
    stands_on: tuple[ChangeId, ...]


def lacking(
    kept: Kept,
    rows: Sequence[Row],
    wanted: Iterable[ChangeId],
    held: Holding,
    beside: Iterable[ChangeId] = (),
) -> Found:
    """Return what of an index reaches what is wanted, and is not held.

    Args:
        kept: the objects.
        rows: the index, oldest first.
        wanted: changes.
        held: tells what there is already, with all that it reaches.
        beside: changes that are held, of which what belongs to them is lacking: signatures.

    Cost: the leaves and branches that tell of it. Memory: those of one way down, and the loads.

    Raises:
        RefusedTransferError: something that is wanted, or needed, is not there.
    """
    walk = Walk(kept, wanted, held, beside)
    loads = [Stored(load.key, load.size) for load in walk.loads(rows)]
    if walk.sought:
        rule = f"change {min(walk.sought).hex()} is named and not there"
        raise RefusedTransferError(rule)
    return Found(tuple(reversed(loads)), tuple(sorted(walk.stands_on)))


class Walk:
    """A walk through an index; `sought` is what was not found yet."""

    __slots__ = ("_beside", "_held", "_kept", "_opened", "_signs", "sought", "stands_on")

    def __init__(
        self,
        kept: Kept,
        wanted: Iterable[ChangeId],
        held: Holding,
        beside: Iterable[ChangeId] = (),
    ) -> None:
        self._kept = kept
        self._held = held
        self.stands_on: set[ChangeId] = set()
        self.sought: set[ChangeId] = set()
        self._seek(set(wanted))
        self._beside = set(beside)
        self._opened: set[bytes] = set()
        # Loads that sign what was not found yet, and may never be looked for.
        self._signs: dict[ChangeId, list[Load]] = {}

    def _seek(self, changes: Collection[ChangeId]) -> None:
        known = self._held(list(changes)) if changes else ()
        self.stands_on |= {each for each in changes if each in known}
        self.sought |= set(changes) - self.stands_on

    def loads(self, rows: Sequence[Row]) -> Iterator[Load]:
        """Yield what is lacking, newest first."""
        for row in reversed(rows):
            if not self.sought and not self._beside:
                return
            if not self._has_any(row.tips):
                continue
            if row.key in self._opened:
                rule = "a leaf or a branch is in the index twice"
                raise RefusedTransferError(rule)
            self._opened.add(row.key)
            if row.level:
                yield from self.loads(self._kept.branch(row))
            else:
                yield from self.among(self._kept.leaf(row))

    def _has_any(self, tips: Sequence[ChangeId]) -> bool:
        """Tell whether something may be lacking of what tips reach."""
        if not tips or not self._beside.isdisjoint(tips):
            return True
        return len(set(self._held(tips))) < len(tips)

    def among(self, loads: Sequence[Load]) -> Iterator[Load]:
        """Yield those of some loads that are lacking, newest first."""
        # What blobs at the end of a load may belong to.
        latest: set[ChangeId] = set()
        for load in reversed(loads):
            changes = set(load.changes)
            if not self._is_lacking(load, changes, latest):
                self._note_signs(load)
                latest = set()
                continue
            # Before this one here, and so behind it where it is read.
            yield from self._signing(load.changes)
            self.sought -= changes
            self._beside -= changes
            self._seek(load.needs)
            latest = changes.union(load.next)
            yield load

    def _is_lacking(self, load: Load, changes: set[ChangeId], latest: set[ChangeId]) -> bool:
        return not (
            self.sought.isdisjoint(changes)
            and self._beside.isdisjoint(changes.union(load.signs))
            and latest.isdisjoint(load.next)
        )

    def _note_signs(self, load: Load) -> None:
        for change in load.signs:
            self._signs.setdefault(change, []).append(load)

    def _signing(self, changes: Iterable[ChangeId]) -> Iterator[Load]:
        """Yield the loads, passed by already, that sign some changes; each once."""
        found = {each.key: each for change in changes for each in self._signs.pop(change, ())}
        for load in found.values():
            for change in load.signs:
                self._signs.pop(change, None)
            yield load
