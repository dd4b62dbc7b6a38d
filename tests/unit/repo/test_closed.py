from pyroaring import BitMap

from oxy.repo.closed import lacking, name_of
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.history import History


def test_a_set_that_is_a_union_of_states_has_their_heads_for_a_name() -> None:
    history = History(Repository.in_memory())
    base = history.commit({b"f": b"1\n"})
    left, right = (history.commit({name: b"1\n"}, base) for name in (b"l", b"r"))
    states = history.repository.states
    assert name_of(states, BitMap([base, left, right])) == Name((left, right))
    assert name_of(states, BitMap()) == Name()


def test_any_other_closed_set_is_named_as_by_a_walk() -> None:
    history = History(Repository.in_memory())
    first = history.commit({b"f": b"1\n"})
    second = history.commit({b"g": b"1\n"}, first)
    states, apart = history.repository.states, BitMap([second])
    assert name_of(states, apart) == states.name_of(apart) == Name((second,), (first,))
    assert states.members(name_of(states, apart)) == apart
    assert lacking(states, apart) is None


def test_a_set_lacks_what_one_of_it_depends_on() -> None:
    history = History(Repository.in_memory())
    first = history.commit({b"f": b"1\n"})
    second = history.commit({b"f": b"2\n"}, first)
    states = history.repository.states
    assert lacking(states, BitMap([second])) == (second, first)
    assert lacking(states, BitMap([first, second])) is None
