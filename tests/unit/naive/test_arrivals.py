"""Orders of arrival."""

from tests.naive.arrivals import SAMPLE, arrivals


def test_two_changes_on_one_base_arrive_in_two_orders() -> None:
    needs = {"base": "", "x": ["base"], "y": ["base"]}
    assert set(arrivals(needs)) == {("base", "x", "y"), ("base", "y", "x")}


def test_a_change_arrives_after_what_it_depends_on() -> None:
    assert list(arrivals({"b": ["a"], "a": "", "c": "ab"})) == [("a", "b", "c")]


def test_of_many_changes_there_is_the_same_sample_always() -> None:
    needs = {n: [n - 1] if n % 2 else [] for n in range(20)}
    orders = list(arrivals(needs))
    assert orders == list(arrivals(needs))
    assert len(orders) == SAMPLE
    assert len(set(orders)) > SAMPLE // 2
    for order in orders:
        assert sorted(order) == list(needs)
        assert all(order.index(n - 1) < order.index(n) for n in range(1, 20, 2))
