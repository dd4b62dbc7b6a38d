"""The line cases on the graph, in every order of arrival (spec: conflicts, C29)."""

from itertools import islice

import pytest
from pyroaring import BitMap

from oxy.graph.render import is_sole
from oxy.graph.weave import SHIFT
from tests.cases.lines import CASES
from tests.cases.players import OnGraph
from tests.cases.script import Case, Check, count, fitting, play, ranks
from tests.graphs.consistency import assert_consistent
from tests.graphs.sketch import Sketch, seen
from tests.naive.story import reading

SMALL = fitting(CASES)
LARGE = [case for case in CASES if case.is_large]


def assert_holds(player: OnGraph, check: Check) -> None:
    """Check that a state reads as told."""
    state = player.bits(check.state)
    sketch = player.sketch
    assert reading(sketch.show(state)) == reading(check.text)
    assert is_sole(sketch.graph, state) == sketch.read(state).is_clean
    if check.blame:
        assert player.blame(check.state) == list(check.blame)


@pytest.mark.parametrize("case", SMALL, ids=[case.id for case in SMALL])
def test_a_case_reads_as_listed_with_other_ids_and_in_every_order_of_arrival(
    case: Case,
) -> None:
    for ids in ranks(case):
        player = OnGraph(ids)
        checks = play(case, player)
        for check in checks:
            assert_holds(player, check)
        states = [player.bits(check.state) for check in checks]
        readings = [seen(player.sketch.read(state)) for state in states]
        for order in player.sketch.orders():
            arrived = player.sketch.arriving(order)
            assert [seen(arrived.read(state)) for state in states] == readings
            assert_consistent(arrived.graph)


@pytest.mark.parametrize("case", LARGE, ids=[case.id for case in LARGE])
def test_a_large_case_reads_as_listed_in_another_order_of_arrival(case: Case) -> None:
    player = OnGraph()
    checks = play(case, player)
    for check in checks:
        assert_holds(player, check)
    last = [player.bits(check.state) for check in checks[-3:]]
    for order in islice(player.sketch.orders(), 1):
        arrived = player.sketch.arriving(order)
        for state in last:
            assert seen(arrived.read(state)) == seen(player.sketch.read(state))


def test_five_changes_on_a_base_arrive_in_120_orders() -> None:
    (case,) = (case for case in CASES if case.number == "26")
    player = OnGraph()
    play(case, player)
    assert len(set(player.sketch.orders())) == 120


def test_the_same_insertion_twice_shows_once_and_both_live() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "axb")
    (twin,) = sketch.read(union).twins
    assert [span.start >> SHIFT for span in (*twin.shown, *twin.hidden)] == [2, 3]


def test_a_shown_twin_outlives_the_one_that_an_edit_beside_it_retires() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "aXc") | sketch.tell(base, "aXc")
    sketch.tell(union, "aXvc")
    assert 2 in sketch.graph.deeds[4].needs


def test_a_wrapped_block_that_is_deleted_stays_a_few_runs() -> None:
    (case,) = (case for case in LARGE if case.number == "19")
    player = OnGraph()
    play(case, player)
    assert_consistent(player.sketch.graph)
    assert len(player.sketch.graph.weave) < 3 * count(case)


def test_rounds_of_one_line_replaced_and_resolved_stay_linear_in_runs() -> None:
    (case,) = (case for case in LARGE if case.number == "18")
    player = OnGraph()
    play(case, player)
    graph = player.sketch.graph
    assert_consistent(graph)
    assert len(graph.weave) == count(case)
    assert sum(len(deed.verdicts) for deed in graph.deeds.values()) < 4 * count(case)
    assert player.sketch.read(BitMap(graph.touched)).is_clean
