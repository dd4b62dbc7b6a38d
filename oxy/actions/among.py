"""Some changes of a state, newest first, the others passed over (spec: states, S16, S61).

Who knows whom is read from the states of these changes alone, so a log of few changes in a long
history costs what they are.
"""

from collections.abc import Iterator
from heapq import heappop, heappush
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.model.change import Header
from oxy.repo.headers import headers_of
from oxy.repo.repository import Repository
from oxy.repo.states import Name

_HEADERS: Final = 256


class Stop(NamedTuple):
    """A change of the walk: its number, id and header."""

    change: int
    id: bytes
    header: Header


class Among:
    """A walk through some changes of a state.

    Args:
        repository: where they are.
        name: the state.
        changes: which of its changes.

    Cost: for each change its header and its state, as far as the walk is taken.
    """

    __slots__ = ("_beneath", "_changes", "_held", "_read", "_repository", "_rest", "_state")

    def __init__(self, repository: Repository, name: Name, changes: BitMap) -> None:
        self._repository = repository
        self._state = repository.states.members(name)
        self._changes = changes
        self._rest = changes.copy()
        self._beneath: dict[int, BitMap] = {}
        self._held: dict[int, Stop] = {}
        self._read = 1

    def __iter__(self) -> Iterator[Stop]:
        """Yield the changes."""
        heap: list[tuple[int, bytes, int]] = []
        waiting = BitMap()
        fresh = self._rest
        while True:
            for change in self._tops(fresh, waiting):
                waiting.add(change)
                stop = self._stop(change)
                heappush(heap, (-stop.header.time.microseconds, stop.id, change))
            if not heap:
                return
            change = heappop(heap)[2]
            waiting.discard(change)
            self._rest.discard(change)
            yield self._held.pop(change)
            fresh = self._known(change) & self._rest
            del self._beneath[change]

    def parents(self, change: int) -> tuple[int, ...]:
        """Return those of the changes that one knows and no other that it knows does.

        That of most history comes first.
        """
        found = list(self._tops(self._known(change), BitMap()))
        if len(found) > 1:
            rank, states = self._repository.nodes.rank, self._repository.states
            found.sort(key=lambda parent: (-len(states.of_change(parent)), rank(parent)))
        return tuple(found)

    def _tops(self, some: BitMap, others: BitMap) -> Iterator[int]:
        """Yield those of some changes that none of them knows, and none of the others.

        Numbers are a topological order: the highest is known to none.
        """
        left = some - others
        for other in others:
            left -= self._known(other)
        while left:
            top = left.max()
            yield top
            left.discard(top)
            left -= self._known(top)

    def _known(self, change: int) -> BitMap:
        """Return which of the changes one knows."""
        found = self._beneath.get(change)
        if found is None:
            found = self._repository.states.knows(change, self._state) & self._changes
            self._beneath[change] = found
        return found

    def _stop(self, change: int) -> Stop:
        """Return a change, whose header is read together with more and more of those below."""
        if change not in self._held:
            end = self._rest.rank(change)
            some = [
                c for c in self._rest[max(0, end - self._read) : end] if c not in self._held
            ]
            for one, name, header in headers_of(self._repository.store, some):
                self._held[one] = Stop(one, name, header)
            self._read = min(2 * self._read, _HEADERS)
        return self._held[change]
