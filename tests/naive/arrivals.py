"""The orders in which a set of changes can arrive: each after what it depends on."""

from collections.abc import Collection, Hashable, Iterator, Mapping
from itertools import islice
from random import Random
from typing import Final, TypeVar

K = TypeVar("K", bound=Hashable)

FEW: Final = 6

SAMPLE: Final = 120
"""How many orders are given at most: all that five changes can arrive in."""


def arrivals(needs: Mapping[K, Collection[K]]) -> Iterator[tuple[K, ...]]:
    """Yield orders that respect dependencies: all, or where there are many always the same.

    `needs` tells for each change what it depends on, and is closed under that.
    """
    if len(needs) <= FEW:
        orders = list(islice(_all((), needs), SAMPLE + 1))
        if len(orders) <= SAMPLE:
            yield from orders
            return
    random = Random(len(needs))  # noqa: S311 - a sample of orders, no secret
    for _ in range(SAMPLE):
        yield _one(needs, random)


def _all(done: tuple[K, ...], needs: Mapping[K, Collection[K]]) -> Iterator[tuple[K, ...]]:
    if len(done) == len(needs):
        yield done
    for change, named in needs.items():
        if change not in done and set(named) <= set(done):
            yield from _all((*done, change), needs)


def _one(needs: Mapping[K, Collection[K]], random: Random) -> tuple[K, ...]:
    left = {change: set(named) for change, named in needs.items()}
    followers: dict[K, list[K]] = {}
    for change, named in left.items():
        for other in named:
            followers.setdefault(other, []).append(change)
    ready = [change for change, named in left.items() if not named]
    done = []
    while ready:
        change = ready.pop(random.randrange(len(ready)))
        done.append(change)
        for follower in followers.get(change, ()):
            left[follower].remove(change)
            if not left[follower]:
                ready.append(follower)
    return tuple(done)
