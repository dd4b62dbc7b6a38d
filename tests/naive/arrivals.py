"""The orders in which a set of changes can arrive: each after what it depends on."""

from collections.abc import Iterator, Mapping

from tests.naive.change import Key, NaiveChange


def arrivals(changes: Mapping[Key, NaiveChange]) -> Iterator[tuple[Key, ...]]:
    """Yield every order that respects dependencies; there may be factorially many.

    The changes have to be closed under dependencies.
    """
    if not changes:
        yield ()
    for key in sorted(changes):
        if any(key in other.dependencies for other in changes.values()):
            continue
        rest = {k: change for k, change in changes.items() if k != key}
        for order in arrivals(rest):
            yield (*order, key)
