from pyroaring import BitMap

from oxy.repo.repository import Repository
from oxy.repo.rewriting.steps import Plan, Schedule, Step, holding
from oxy.repo.states import Name, States
from tests.builders.history import History


def states() -> States:
    """Return 1; 2 and 3 on it; 4 on both; 5 on 4; each with a file of its own."""
    history = History(Repository.in_memory())
    for change, heads in enumerate(((), (1,), (1,), (2, 3), (4,)), 1):
        history.commit({b"f%d" % change: b"a\n"}, *heads)
    return history.repository.states


STATE = Name((5,))


def test_what_knows_a_change_is_found() -> None:
    found = states()
    assert holding(found, BitMap(range(1, 6)), [2]) == BitMap([4, 5])
    assert holding(found, BitMap(range(1, 6)), [2, 4]) == BitMap([5])
    assert holding(found, BitMap(range(1, 6)), []) == BitMap()


def test_what_follows_comes_after_what_it_knows() -> None:
    schedule = Schedule(states(), Plan(STATE, (Step((2,), 2),)))
    assert [schedule.steps[index].sources for index in schedule.order()] == [(2,), (4,), (5,)]
    assert schedule.after(0) == BitMap([1, 2])
    assert schedule.after(1) == BitMap([1, 2, 3, 4])


def test_a_step_stands_on_the_images_of_what_its_source_knew() -> None:
    schedule = Schedule(states(), Plan(STATE, (Step((2,), 2),)))
    schedule.order()
    assert schedule.base(0, {}) == Name((1,))
    assert schedule.ground(1).steps == {0}
    assert schedule.ground(1).others == {3}


def test_one_that_goes_before_another_does_not_know_it_and_is_known() -> None:
    plan = Plan(STATE, (Step((5,), 5, without=frozenset({4})), Step((4,), 4, after=(0,))))
    schedule = Schedule(states(), plan)
    assert schedule.order() == [0, 1]
    assert schedule.before[0] == BitMap([1, 2, 3])
    assert schedule.before[1] == BitMap([1, 2, 3, 5])
    assert schedule.knows_others(0) is False


def test_who_knows_a_change_knows_what_its_image_does_not_know_any_more() -> None:
    plan = Plan(STATE, (Step((4,), 4, without=frozenset({2})),))
    schedule = Schedule(states(), plan)
    schedule.order()
    assert schedule.before[0] == BitMap([1, 3])
    assert schedule.before[1] == BitMap([1, 2, 3, 4])


def test_on_another_state_all_else_is_let_go() -> None:
    plan = Plan(STATE, (Step((5,), 5),), onto=Name((2,)))
    schedule = Schedule(states(), plan)
    schedule.order()
    assert schedule.before[0] == BitMap([1, 2])
    assert schedule.base(0, {}) == Name((2,))
    assert schedule.knows_others(0) is True
