"""Write what a push brings as objects of a bucket (spec: sync, SY90, SY91)."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from oxy.typed import Final, Protocol

from oxy.model.digest import ChangeId
from oxy.repo.repository import Repository
from oxy.store.protocol import CHANGE
from oxy.sync import limits
from oxy.sync.bucket.filling import Filling
from oxy.sync.bucket.growing import grown
from oxy.sync.bucket.index import Load, Row, bounds, encode_leaf
from oxy.sync.bucket.kept import Kept
from oxy.sync.frames import framed
from oxy.sync.part import Part

_LISTED: Final = limits.LISTED
"""Ids after which a leaf is full."""


class Ends(Protocol):
    """Tells of changes that are in one load, or belong to it, how they hang together."""

    def __call__(
        self, changes: list[ChangeId]
    ) -> tuple[tuple[ChangeId, ...], tuple[ChangeId, ...]]:
        """Return those that no other of them names, and what they name that is none of them."""


def ends_in(repository: Repository) -> Ends:
    """Return what tells it of changes that a repository has."""
    store, states = repository.store, repository.states

    def ends(changes: list[ChangeId]) -> tuple[tuple[ChangeId, ...], tuple[ChangeId, ...]]:
        numbers = set(store.numbers_of(CHANGE, changes).values())
        named: set[int] = set()
        for number in numbers:
            link = states.link(number)
            named.update((*link.named, *link.context.absent))
        tips, needs = (
            tuple(sorted(map(ChangeId, store.ids_of(CHANGE, sorted(part)))))
            for part in (numbers - named, named - numbers)
        )
        return tips, needs

    return ends


def uploaded(kept: Kept, parts: Iterable[Part], ends: Ends) -> tuple[tuple[Row, ...], int]:
    """Write parts and what lists them; return the rows, oldest first, and how many changes.

    Cost: an object for about each MiB, and for each 2,048 changes; few rows, however many.
    Memory: an object of a MiB; a large one waits on the disk.
    """
    work = _Uploading(kept, ends)
    return listed(kept, work.loads(parts)), work.changes


def listed(kept: Kept, loads: Iterable[Load]) -> tuple[Row, ...]:
    """Write leaves that list loads, and branches if they are many; return the rows."""
    rows: list[Row] = []
    for row in _leaves(kept, loads):
        rows.append(row)
        if len(rows) >= limits.FAN * 2:
            rows = list(grown(kept, rows))
    return grown(kept, rows)


def _leaves(kept: Kept, loads: Iterable[Load]) -> Iterator[Row]:
    gathered: list[Load] = []
    ids = 0
    for load in loads:
        gathered.append(load)
        ids += len(load.changes) + len(load.next)
        # Blobs stay with the change that they belong to.
        if ids >= _LISTED and not load.next:
            yield _leaf(kept, gathered)
            gathered, ids = [], 0
    if gathered:
        yield _leaf(kept, gathered)


def _leaf(kept: Kept, loads: list[Load]) -> Row:
    where = kept.keep_list(encode_leaf(loads))
    return Row(0, *where, *bounds(loads))


class _Uploading:
    """Writes loads; `changes` were written."""

    __slots__ = ("_ends", "_kept", "changes")

    def __init__(self, kept: Kept, ends: Ends) -> None:
        self._kept = kept
        self._ends = ends
        self.changes = 0

    def loads(self, parts: Iterable[Part]) -> Iterator[Load]:
        """Write loads, and yield them as soon as it is known whose their last blobs are."""
        coming = iter(parts)
        first = next(coming, None)
        is_open: list[Load] = []
        rest = [] if first is None else [first]
        while rest:
            content = Filling()
            where = self._kept.keep(framed(content.filled(chain(rest, coming))))
            rest = content.rest or list(islice(coming, 1))
            load = self._load(Load(*where, tuple(content.changes)), content)
            if load.changes:
                yield from (_before(each, load.changes[0]) for each in is_open)
                is_open = []
            if load.changes or load.signs:
                yield load
            else:
                is_open.append(load)

    def _load(self, load: Load, content: Filling) -> Load:
        self.changes += len(load.changes)
        signs = tuple(sorted(set(content.signed) - set(load.changes)))
        tips, needs = self._ends(content.changes)
        return load._replace(signs=signs, tips=tuple(sorted({*tips, *signs})), needs=needs)


def _before(load: Load, change: ChangeId) -> Load:
    """Return a load of blobs of a change that is behind it."""
    return load._replace(next=(change,), tips=(change,))
