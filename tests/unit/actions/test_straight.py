from collections.abc import Sequence
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oxy.actions.newest import Newest
from oxy.actions.straight import in_order, straight
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import HEADER, key
from tests.builders.history import History


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def line(history: History, size: int, *heads: int, name: bytes = b"f") -> list[int]:
    """Record changes each on the last; return them, newest first."""
    made: list[int] = []
    for _ in range(size):
        made.append(history.commit({name: b"%d\n" % history.now}, *(made[-1:] or heads)))
    return made[::-1]


def stretch(history: History, change: int) -> list[int]:
    return [plain.change for plain in straight(history.repository.store, change)]


def test_a_stretch_is_told_from_its_rows_alone(history: History) -> None:
    made = line(history, 5)
    assert stretch(history, made[0]) == made
    for plain in straight(history.repository.store, made[0]):
        assert plain.id == history.id(plain.change)
        assert plain.header == history.repository.header(plain.change)


def test_a_stretch_ends_with_what_was_recorded_on_two(history: History) -> None:
    base = line(history, 2)
    left, right = line(history, 1, base[0]), line(history, 1, base[0], name=b"g")
    top = line(history, 2, *left, *right, name=b"h")
    assert stretch(history, top[0]) == top


def test_what_is_recorded_in_between_is_passed_over_up_to_a_bound(history: History) -> None:
    first = line(history, 1)
    aside = line(history, 64, *first, name=b"g")
    second = line(history, 1, *first, name=b"h")
    assert stretch(history, second[0]) == [*second, *first]
    aside = line(history, 65, *aside[:1], name=b"g")
    third = line(history, 1, *second, name=b"h")
    assert stretch(history, third[0]) == third
    order = [plain.change for plain in in_order(history.repository, Name((third[0],)))]
    assert order == [*third, *second, *first]


def test_a_row_that_is_wrong_ends_a_stretch_and_not_the_log(history: History) -> None:
    made = line(history, 4)
    store = history.repository.store
    wrong = dict(store.rows(HEADER))[key(made[0])]
    with store.transaction() as transaction:
        transaction.put(HEADER, key(made[1]), wrong)
    assert stretch(history, made[0]) == made[:1]
    found = list(in_order(history.repository, Name((made[0],))))
    assert [plain.change for plain in found] == made
    assert [plain.header for plain in found] == [history.repository.header(c) for c in made]


@given(
    st.lists(
        st.tuples(st.lists(st.integers(0, 30), max_size=2), st.integers(0, 6)), max_size=15
    ),
    st.integers(0, 5),
)
def test_the_order_is_that_of_the_general_walk(
    shape: Sequence[tuple[list[int], int]], tail: int
) -> None:
    history = History(Repository.in_memory())
    changes = line(history, 2)
    for number, (picks, hours) in enumerate(shape):
        heads = sorted({changes[pick % len(changes)] for pick in picks})
        name = history.repository.states.join(tuple(Name((head,)) for head in heads))
        changes.append(history.commit({b"g%d" % number: b"1\n"}, *name.heads, hours=hours))
    change = (line(history, tail, changes[-1], name=b"t") or changes[-1:])[0]
    state = Name((change,))
    wanted = [step[:3] for step in Newest(history.repository, state)]
    assert list(in_order(history.repository, state)) == wanted
    assert list(islice(in_order(history.repository, state), 2)) == wanted[:2]
