from oxy.diff.anchors import gaps_between_anchors
from oxy.diff.myers import Box


def test_gaps_lie_between_keys_that_both_sides_have_once() -> None:
    old, new = [7, 1, 5, 5, 2, 8], [1, 6, 5, 2, 9]
    gaps = list(gaps_between_anchors(old, new, Box(0, 6, 0, 5)))
    assert gaps == [Box(0, 1, 0, 0), Box(2, 4, 1, 3), Box(5, 6, 4, 5)]


def test_gaps_stay_within_their_box() -> None:
    old, new = [0, 0, 1, 2, 0], [0, 1, 3]
    assert list(gaps_between_anchors(old, new, Box(2, 4, 1, 3))) == [Box(3, 4, 2, 3)]


def test_without_an_anchor_there_is_no_gap() -> None:
    assert list(gaps_between_anchors([1, 1], [1, 1, 1], Box(0, 2, 0, 3))) == []
