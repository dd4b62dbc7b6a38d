import pytest
from pyroaring import BitMap

from oxy.repo.cleanness import STEPS, Cleanness
from oxy.repo.repository import Repository
from oxy.repo.rewriting.engine import rewrite
from oxy.repo.rewriting.steps import Plan, Step
from oxy.repo.states import Name
from oxy.repo.writing import writing
from tests.builders.history import History


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def is_clean(history: History, state: BitMap, clean: Cleanness | None = None) -> bool:
    repository = history.repository
    clean = clean or Cleanness(repository.nodes.replacements, repository.states)
    graph = repository.nodes.graph(1)
    return clean.is_clean(1, graph, state & graph.touched)


def test_changes_one_after_the_other_leave_a_clean_text(history: History) -> None:
    change = history.commit({b"f": b"0\n"})
    clean = Cleanness(history.repository.nodes.replacements, history.repository.states)
    for number in range(1, STEPS + 3):
        change = history.commit({b"f": b"%d\n" % number}, change)
        assert is_clean(history, history.repository.states.of_change(change), clean)
    assert is_clean(history, history.repository.states.of_change(change))


def test_a_union_is_not_surely_clean(history: History) -> None:
    base = history.commit({b"f": b"0\n"})
    one = history.commit({b"f": b"0\n1\n"}, base)
    other = history.commit({b"f": b"2\n0\n"}, base)
    assert not is_clean(history, BitMap([base, one, other]))


def test_what_was_recorded_on_a_union_is_looked_at(history: History) -> None:
    base = history.commit({b"f": b"0\n"})
    one = history.commit({b"f": b"0\n1\n"}, base)
    other = history.commit({b"f": b"2\n0\n"}, base)
    after = history.commit({b"f": b"2\n0\n1\n3\n"}, one, other)
    assert is_clean(history, history.repository.states.of_change(after))


def test_what_stands_in_for_another_is_looked_at(history: History) -> None:
    repository = history.repository
    base = history.commit({b"f": b"0\n"})
    one = history.commit({b"f": b"0\n1\n"}, base)
    other = history.commit({b"f": b"0\n2\n"}, base)
    states = repository.states
    plan = Plan(states.name_of_change(other), (Step((other,), other),), onto=Name((one,)))
    with writing(repository, history.stamp()) as work:
        done = rewrite(work, plan)
    assert not is_clean(history, states.members(done.state))
    assert repository.nodes.reading(1, states.members(done.state)).conflicts


def test_no_changes_leave_nothing_to_be_in_conflict(history: History) -> None:
    history.commit({b"f": b"0\n"})
    assert is_clean(history, BitMap())
