from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from oxy.actions.among import Among
from oxy.actions.newest import Newest
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.history import History

SHAPES = st.lists(
    st.tuples(st.lists(st.integers(0, 30), max_size=3), st.integers(0, 6)), max_size=20
)


def grown(shape: Sequence[tuple[list[int], int]]) -> tuple[History, list[int]]:
    """Record changes on the changes before them."""
    history = History(Repository.in_memory())
    changes = [history.commit({b"f": b"0\n"}, hours=3)]
    for number, (picks, hours) in enumerate(shape):
        heads = sorted({changes[pick % len(changes)] for pick in picks})
        changes.append(history.commit({b"g%d" % number: b"1\n"}, *heads, hours=hours))
    return history, changes


@given(SHAPES, st.sets(st.integers(0, 20)), st.sets(st.integers(0, 20), max_size=2))
def test_some_changes_come_as_a_sort_of_them_has_them(
    shape: Sequence[tuple[list[int], int]], picks: set[int], left_out: set[int]
) -> None:
    history, changes = grown(shape)
    repository = history.repository
    states = repository.states
    whole = states.join(tuple(Name((change,)) for change in changes))
    gone = {changes[pick] for pick in left_out if pick < len(changes) and pick}
    members = states.members(whole) - BitMap(gone)
    state = states.name_of(members)
    some = BitMap(changes[pick] for pick in picks if pick < len(changes)) & members
    known = {change: states.knows(change, members) & some for change in some}
    times = dict(repository.headers(changes))
    left, wanted = set(some), []
    while left:
        free = left - {other for change in left for other in known[change]}
        best = min(free, key=lambda c: (-times[c].time.microseconds, history.id(c)))
        wanted.append(best)
        left.remove(best)
    walk = Among(repository, state, some)
    found = []
    for stop in walk:
        found.append(stop.change)
        parents = set(walk.parents(stop.change))
        assert parents == {
            one
            for one in known[stop.change]
            if not any(one in known[other] for other in known[stop.change])
        }
    assert found == wanted


@given(SHAPES)
def test_all_changes_come_as_in_the_whole_log(shape: Sequence[tuple[list[int], int]]) -> None:
    history, changes = grown(shape)
    repository = history.repository
    state = repository.states.join(tuple(Name((change,)) for change in changes))
    walk = Among(repository, state, repository.states.members(state))
    assert [stop.change for stop in walk] == [s.change for s in Newest(repository, state)]


def test_a_change_is_told_with_its_id_and_header() -> None:
    history = History(Repository.in_memory())
    change = history.commit({b"f": b"1\n"}, message=b"why")
    (stop,) = Among(history.repository, Name((change,)), BitMap([change]))
    assert (stop.id, stop.header.message) == (history.id(change), b"why")
