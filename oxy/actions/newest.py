"""The changes of a state, newest first (spec: states, S16).

A change comes after all that know it; among those that may come next the latest in time does,
then the one of the smallest id. When a change arrived plays no part, and a long history is
read no further than it is asked for.
"""

from collections.abc import Collection, Iterator
from heapq import heappop, heappush
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.model.change import Header
from oxy.repo.headers import headers_of
from oxy.repo.repository import Repository
from oxy.repo.states import Link, Name, unpack_link
from oxy.repo.tables import LINK, key

_LINKS: Final = 256
_HEADERS: Final = 256


class Step(NamedTuple):
    """A change of the walk: its number, id, header, and what it names."""

    change: int
    id: bytes
    header: Header
    link: Link


class Newest:
    """A walk through a state.

    Numbers are a topological order: nothing below a number knows its change. So whether all
    that know a change have come is certain once the links of all members above it are read.
    Where nothing is absent from the state, contexts alone tell who knows whom: whatever a
    change depends on, the heads of its context know.
    Cost: for each change its header, and the links down to the one that comes next.
    """

    __slots__ = (
        "_came",
        "_headers",
        "_heap",
        "_is_whole",
        "_linked",
        "_links",
        "_pending",
        "_rest",
        "state",
    )

    def __init__(self, repository: Repository, changes: Name | BitMap) -> None:
        """Begin a walk.

        Args:
            repository: where they are.
            changes: a state by its name; or any set, of which all links are read.
        """
        if isinstance(changes, Name):
            name = changes
            self.state = repository.states.members(name)
        else:
            self.state = changes
            name = repository.states.name_of(changes)
        self._headers = _Headers(repository, self.state)
        self._links = _links(repository, self.state)
        self._linked = (self.state.max() if self.state else 0) + 1
        self._rest: dict[int, Link] = {}
        self._pending: dict[int, int] = {}
        self._is_whole = not name.absent
        self._came = BitMap()
        self._heap: list[tuple[int, bytes, int]] = []
        for head in name.heads:
            self._push(head)

    def __iter__(self) -> Iterator[Step]:
        """Yield the changes."""
        while self._heap:
            change = heappop(self._heap)[2]
            self._read_links(change)
            if self._pending.get(change) or change in self._came:
                continue
            self._came.add(change)
            link = self._rest.pop(change)
            yield Step(change, *self._headers.take(change), link)
            for known in self._known(link):
                self._come(known)

    def _known(self, link: Link) -> Collection[int]:
        """Return the members that a change knows directly."""
        if self._is_whole:
            return link.context.heads
        return {named for named in link.named if named in self.state}

    def _come(self, known: int) -> None:
        """Note that one of those that know a change has come."""
        self._pending[known] -= 1
        if not self._pending[known]:
            del self._pending[known]
            self._push(known)

    def _push(self, change: int) -> None:
        name, header = self._headers.get(change)
        heappush(self._heap, (-header.time.microseconds, name, change))

    def _read_links(self, change: int) -> None:
        """Count who knows whom, of all members down to a change."""
        while self._linked > change:
            self._linked, link = next(self._links)
            self._rest[self._linked] = link
            for known in self._known(link):
                self._pending[known] = self._pending.get(known, 0) + 1


def _links(repository: Repository, state: BitMap) -> Iterator[tuple[int, Link]]:
    """Yield the members with their links, in descending order."""
    end = len(state)
    while end:
        start = max(0, end - _LINKS)
        some = list(state[start:end])
        rows = repository.store.rows_many(LINK, map(key, some))
        for change in reversed(some):
            row = rows.get(key(change))
            yield change, unpack_link(row) if row else Link(Name(), ())
        end = start


class _Headers:
    """Headers that are read once, with their neighbours: a query serves many.

    As many as were of use the last time, times two.
    """

    __slots__ = ("_held", "_left", "_repository", "_used")

    def __init__(self, repository: Repository, state: BitMap) -> None:
        self._repository = repository
        self._left = state.copy()
        self._used = 0
        self._held: dict[int, tuple[bytes, Header]] = {}

    def get(self, change: int) -> tuple[bytes, Header]:
        """Return the id and the header of a change that is still to come."""
        if change not in self._held:
            self._read(change)
        self._used += 1
        return self._held[change]

    def take(self, change: int) -> tuple[bytes, Header]:
        """Return the id and the header of a change that comes, and forget them."""
        self._left.discard(change)
        return self._held.pop(change)

    def _read(self, change: int) -> None:
        wanted = max(1, min(self._used * 2, _HEADERS))
        self._used = 0
        end = self._left.rank(change)
        some = [c for c in self._left[max(0, end - wanted) : end] if c not in self._held]
        for one, name, header in headers_of(self._repository.store, some):
            self._held[one] = name, header
