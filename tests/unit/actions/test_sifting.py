from collections.abc import Iterator, Sequence

import pytest
from pyroaring import BitMap

from oxy.actions.sifting import NeverThereError, Sieve, below, closed, counted, sifted
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.history import History


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def fork(history: History) -> tuple[list[int], Name]:
    """Record a fork of three changes on each side, and their join."""
    commit = history.commit
    base = commit({b"f": b"1\n"}, message=b"base")
    left = commit({b"a": b"1\n"}, base, message=b"left")
    more = commit({b"f": b"2\n"}, left, message=b"more")
    right = commit({b"b": b"1\n"}, base, message=b"right")
    join = commit({}, more, right, message=b"join")
    return [base, left, more, right, join], Name((join,))


def shown(history: History, state: Name, sieve: Sieve) -> list[int]:
    return [found.entry.change for found in sifted(history.repository, state, sieve)]


def test_a_header_is_asked_no_further_than_the_limit(history: History) -> None:
    changes, state = fork(history)
    asked: list[bytes] = []

    def is_short(message: bytes) -> bool:
        asked.append(message)
        return len(message) == 4

    sieve = Sieve(header=lambda header: is_short(header.message), limit=2)
    assert shown(history, state, sieve) == [changes[4], changes[2]]
    assert asked == [b"join", b"right", b"more"]


def test_the_oldest_come_first_of_those_within_the_limit(history: History) -> None:
    (_, left, more, right, join), state = fork(history)
    assert shown(history, state, Sieve(limit=3, reverse=True)) == [more, right, join]
    assert shown(history, state, Sieve(limit=2, changes=BitMap([left, more]))) == [more, left]


def test_paths_let_through_what_touches_them(history: History) -> None:
    (base, left, more, _, _), state = fork(history)
    sieve = below(history.repository, state, [b"f"], Sieve())
    assert shown(history, state, sieve) == [more, base]
    sieve = below(history.repository, state, [b"f", b"a"], Sieve())
    assert shown(history, state, sieve) == [more, left, base]
    with pytest.raises(NeverThereError, match="nothing is or was at none in this state"):
        below(history.repository, state, [b"f", b"none"], Sieve())


def test_parents_are_the_nearest_that_are_let_through(history: History) -> None:
    (base, _, more, right, join), state = fork(history)
    sieve = Sieve(header=lambda header: header.message != b"left", draws=True)
    parents = {
        f.entry.change: f.entry.parents for f in sifted(history.repository, state, sieve)
    }
    assert parents == {join: (more, right), more: (base,), right: (base,), base: ()}


def test_drawn_the_other_way_each_has_its_children_below_it(history: History) -> None:
    (base, left, more, right, join), state = fork(history)
    sieve = Sieve(draws=True, reverse=True)
    found = [found.entry for found in sifted(history.repository, state, sieve)]
    assert [entry.change for entry in found] == [base, left, more, right, join]
    parents = {entry.change: set(entry.parents) for entry in found}
    assert parents == {
        base: {left, right},
        left: {more},
        more: {join},
        right: {join},
        join: set(),
    }


def test_content_narrows_the_nodes_that_are_told(history: History) -> None:
    changes, state = fork(history)

    def only_odd(changes: Sequence[int], nodes: BitMap | None) -> Iterator[BitMap]:
        assert nodes is None
        return (BitMap([change] if change % 2 else []) for change in changes)

    found = list(sifted(history.repository, state, Sieve(content=only_odd)))
    odd = [change for change in reversed(changes) if change % 2]
    assert sorted(f.entry.change for f in found) == sorted(odd)
    assert all(f.nodes == BitMap([f.entry.change]) for f in found)


def test_they_are_counted(history: History) -> None:
    (_, left, more, _, _), state = fork(history)
    repository = history.repository
    assert counted(repository, state, Sieve()) == 5
    assert counted(repository, state, Sieve(limit=3)) == 3
    assert counted(repository, state, Sieve(changes=BitMap([left, more]))) == 2
    assert counted(repository, state, Sieve(header=lambda h: h.message > b"k")) == 3


def test_a_set_lies_in_the_least_state_that_has_it(history: History) -> None:
    (base, left, more, right, join), state = fork(history)
    repository = history.repository
    assert closed(repository, state) == state
    assert closed(repository, BitMap([left, more])) == Name((more,))
    members = repository.states.members(closed(repository, BitMap([more, right])))
    assert members == BitMap([base, left, more, right])
    assert join not in members
