"""What two repositories have in common, found in few questions (spec: sync, SY3, SY38).

The other side tells its names; what of them is here is common, with all that it reaches. Of the
rest of what is here some newest changes and, farther and farther back, some older ones are
asked for. Where the other has one, it has all that this reaches; between the newest that it has
and the oldest that it lacks one asks again. Whatever is left in doubt is sent once more, and
skipped by who has it.
"""

from collections.abc import Iterable, Sequence

from pyroaring import BitMap

from oxy.model.digest import ChangeId
from oxy.repo.repository import Repository
from oxy.store.protocol import CHANGE
from oxy.sync import limits
from oxy.sync.endpoint import Endpoint
from oxy.sync.history import history
from oxy.sync.silent import Silent


def common(
    repository: Repository, peer: Endpoint, told: Iterable[ChangeId]
) -> tuple[ChangeId, ...]:
    """Return changes that both sides have, which reach about all that both have.

    Args:
        repository: one side.
        peer: the other.
        told: changes that the other is known to have.

    Cost: at most `limits.ROUNDS` questions, none where `told` reaches all that is here.
    """
    store = repository.store
    if isinstance(peer, Silent):
        return peer.shared(tuple(told), store.numbers_of)
    numbers = (store.number_of(CHANGE, name) for name in told)
    found = _Found(repository)
    found.add(number for number in numbers if number is not None)
    # All that is here, for what a transfer that was killed has brought has no name yet.
    here = BitMap(range(1, store.count(CHANGE) + 1)) - BitMap(store.all_gone(CHANGE))
    left = here - found.reached
    low = high = 0
    for turn in range(limits.ROUNDS):
        asked = _samples(left, low, high, is_first=turn == 0)
        if not asked:
            break
        answers = peer.known(tuple(map(ChangeId, store.ids_of(CHANGE, asked))))
        there = [number for number, known in zip(asked, answers, strict=True) if known]
        lacking = BitMap(asked) - BitMap(there)
        found.add(there)
        left -= found.reached
        left -= lacking
        high = min((high or store.count(CHANGE) + 1, *lacking))
        low = max((low, *(number for number in there if number < high)))
        # Of histories that grew side by side, what it lacks may be older than what it has.
        if not there and not left.range_cardinality(low, max(low, high)):
            break
    last = _Found(repository)
    last.add(found.tips)
    return tuple(map(ChangeId, store.ids_of(CHANGE, sorted(last.tips))))


class _Found:
    """Changes that are common, and all that they reach."""

    __slots__ = ("_states", "reached", "tips")

    def __init__(self, repository: Repository) -> None:
        self._states = repository.states
        self.reached = BitMap()
        self.tips: list[int] = []

    def add(self, numbers: Iterable[int]) -> None:
        """Add changes; one that another reaches adds nothing."""
        for number in sorted(numbers, reverse=True):
            if number not in self.reached:
                self.tips.append(number)
                self.reached |= history(self._states, [number])


def _samples(left: BitMap, low: int, high: int, *, is_first: bool) -> Sequence[int]:
    """Return what to ask for: first farther and farther back, then evenly in the gap."""
    size = len(left)
    if not size:
        return ()
    if is_first:
        steps = [(1 << step) - 1 for step in range(size.bit_length())]
        newest = range(min(size, limits.SAMPLES // 2))
        return sorted({left[size - 1 - step] for step in (*steps, *newest) if step < size})
    gap = left & BitMap(range(low + 1, high))
    picked = {*_evenly(gap, limits.SAMPLES // 2), *_evenly(left, limits.SAMPLES // 2)}
    return sorted(picked)


def _evenly(numbers: BitMap, most: int) -> Iterable[int]:
    size = len(numbers)
    if size <= most:
        return numbers
    return {numbers[at * size // most] for at in range(most)}
