from oxy.diff.bounded import BASE_BUDGET, LINE_BUDGET, changed_keys
from oxy.diff.myers import Box, Marks, shortest_edit, trimmed


class Counted(int):
    """A key that counts how often keys are compared."""

    comparisons = 0

    def __eq__(self, other: object) -> bool:
        """Compare as integers do, and count it."""
        Counted.comparisons += 1
        return int.__eq__(self, other) is True

    __hash__ = int.__hash__


def whole(old: list[int], new: list[int]) -> Box:
    return Box(0, len(old), 0, len(new))


def test_a_box_loses_its_common_head_and_tail() -> None:
    old, new = [1, 2, 3, 4], [1, 5, 4]
    assert trimmed(old, new, whole(old, new)) == Box(1, 3, 1, 2)


def test_the_classic_example_takes_five_steps() -> None:
    old, new = list(b"abcabba"), list(b"cbabac")
    marks = Marks()
    assert shortest_edit(old, new, whole(old, new), marks, 1000) == []
    assert len(marks.dropped) + len(marks.added) == 5


def test_without_a_budget_the_trimmed_box_is_left() -> None:
    old, new = [0, 1, 2, 9], [0, 2, 1, 9]
    marks = Marks()
    assert shortest_edit(old, new, whole(old, new), marks, 0) == [Box(1, 3, 1, 3)]
    assert marks.dropped == marks.added == []


def test_past_the_rounds_the_box_is_divided_where_the_search_came_furthest() -> None:
    old = [number * 7919 % 1009 for number in range(1000)]
    new = [number * 104_729 % 1009 for number in range(1000)]
    marks = Marks()
    assert shortest_edit(old, new, whole(old, new), marks, 10**9) == []
    dropped, added = set(marks.dropped), set(marks.added)
    kept = [key for at, key in enumerate(old) if at not in dropped]
    assert kept == [key for at, key in enumerate(new) if at not in added]
    assert len(kept) > 20


def test_repeated_keys_in_another_order_cost_linear_work() -> None:
    count = 30_000
    old = [Counted(number * number % 7) for number in range(count)]
    new = [Counted(number * number * number % 7) for number in range(count)]
    Counted.comparisons = 0
    changed_keys(old, new)
    budget = BASE_BUDGET + LINE_BUDGET * 2 * count
    assert Counted.comparisons < 3 * budget


def test_two_swapped_halves_cost_linear_work_and_keep_one() -> None:
    count = 30_000
    old = [Counted(number) for number in range(count)]
    new = old[count // 2 :] + old[: count // 2]
    Counted.comparisons = 0
    marks = changed_keys(old, new)
    assert len(marks.dropped) == len(marks.added) == count // 2
    assert Counted.comparisons < 3 * (BASE_BUDGET + LINE_BUDGET * 2 * count)
