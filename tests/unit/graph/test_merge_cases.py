"""The line cases of the conflict rules, in every order of arrival (spec: conflicts, C29)."""

from collections.abc import Iterable, Sequence
from itertools import permutations

import pytest
from pyroaring import BitMap

from oxy.graph.render import is_sole
from oxy.graph.weave import SHIFT
from tests.graphs.consistency import assert_consistent
from tests.graphs.sketch import Sketch, seen

MOST_ORDERS = 120


def assert_reads(sketch: Sketch, state: Iterable[int], notation: str) -> None:
    """Check that a state reads as told, in every order in which the changes can arrive."""
    state = BitMap(state)
    assert sketch.show(state) == notation
    assert_consistent(sketch.graph)
    reading = sketch.read(state)
    assert is_sole(sketch.graph, state) == reading.is_clean
    for order in sketch.orders(MOST_ORDERS):
        arrived = sketch.arriving(order)
        assert seen(arrived.read(state)) == seen(reading)
        assert_consistent(arrived.graph)


@pytest.mark.parametrize(
    ("base", "sides", "notation"),
    [
        pytest.param("ABCDE", ["GGGABCDE ABCDEGGGABCDE", "ABXDE"], "ABCDEGGGABXDE", id="1"),
        pytest.param("AB", ["GAB ABGAB", "AXB"], "ABGAXB", id="2"),
        pytest.param("abc", ["xbc", "ayc"], "xyc", id="3"),
        pytest.param("ab", ["axb", "ayb"], "a{x|y}b", id="4"),
        pytest.param("ab", ["axb", "ayb", "azb"], "a{x|y|z}b", id="4, three sides"),
        pytest.param("abcd", [" ", "abxyzcd"], "{|abxyzcd}", id="6"),
        pytest.param("abcdef", ["af", "abcxzdef abcxyzdef"], "a{|bcxyzde}f", id="7"),
        pytest.param("abc", ["ac", "ac"], "ac", id="9"),
        pytest.param("ab", ["axb", "axb"], "axb", id="13"),
        pytest.param("ab", ["axb", "Ab"], "Axb", id="21"),
        pytest.param("ab", ["axb", "aB"], "axB", id="22"),
        pytest.param("abcd", ["Pd", "aQ"], "{Pd|aQ}", id="23"),
        pytest.param("abcd", ["aXd", "abycd"], "a{X|byc}d", id="24"),
        pytest.param("abc", ["aXc", "aXc"], "aXc", id="25"),
        pytest.param("abc", ["aXc", "ac"], "a{|X}c", id="29"),
        pytest.param("ab", ["abx", "a"], "ax", id="30"),
        pytest.param("abcd", ["ad", "abxcd axcd"], "a{|xc}d", id="31"),
        pytest.param("abc", ["ac", "aXc aYc"], "a{|Y}c", id="32"),
    ],
)
def test_sides_from_one_base_merge_as_listed(
    base: str, sides: Sequence[str], notation: str
) -> None:
    told = [side.strip().split(" ") for side in sides]
    for ranks in permutations(range(1, len(sides) + 1)):
        ids = [rank for rank, texts in zip(ranks, told, strict=True) for _ in texts]
        sketch = Sketch([0, *ids])
        root = sketch.tell([], base)
        union = BitMap()
        for texts in told:
            union |= sketch.tell(root, *texts)
        assert_reads(sketch, union, notation)


def _axb_and_ayb(ranks: Sequence[int] = ()) -> tuple[Sketch, BitMap]:
    sketch = Sketch(ranks)
    base = sketch.tell([], "ab")
    return sketch, sketch.tell(base, "axb") | sketch.tell(base, "ayb")


@pytest.mark.parametrize("ranks", list(permutations(range(4))))
def test_resolutions_that_decide_differently_are_one_conflict_once(
    ranks: tuple[int, ...],
) -> None:
    sketch, union = _axb_and_ayb((9, 8, *ranks))
    one, other = sketch.tell(union, "axyb"), sketch.tell(union, "ayxb")
    both = one | other
    assert_reads(sketch, both, "a{x|y}b")
    resolved = sketch.tell(both, "ayxb")
    assert_reads(sketch, resolved, "ayxb")
    assert_reads(sketch, sketch.without(resolved, resolved.max()), "a{x|y}b")


def test_lines_that_a_side_deleted_come_back_under_their_identity() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    union = sketch.tell(base, "") | sketch.tell(base, "abxyzcd")
    resolved = sketch.tell(union, "azd")
    assert_reads(sketch, resolved, "azd")
    assert sketch.blame(resolved) == [1, 3, 1]


def test_unrecording_one_of_two_deletions_changes_nothing() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    one, other = sketch.tell(base, "ac"), sketch.tell(base, "ac")
    assert_reads(sketch, one | other, "ac")
    assert_reads(sketch, one, "ac")
    assert_reads(sketch, other, "ac")
    assert_reads(sketch, base, "abc")


def test_a_change_may_be_unrecorded_under_a_later_one_and_come_back() -> None:
    sketch = Sketch()
    base = sketch.tell([], "12345")
    last = sketch.tell(base, "12ab5", "1ab5")
    assert_reads(sketch, last, "1ab5")
    assert_reads(sketch, sketch.without(last, 2), "1345")
    assert_reads(sketch, sketch.without(last, 2) | BitMap([2]), "1ab5")


def test_the_same_insertion_twice_shows_once_and_both_live() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "axb")
    (twin,) = sketch.read(union).twins
    assert [span.start >> SHIFT for span in (*twin.shown, *twin.hidden)] == [2, 3]
    assert_reads(sketch, sketch.tell(union, "ab"), "ab")


def test_a_shown_twin_outlives_the_one_that_an_edit_beside_it_retires() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "aXc") | sketch.tell(base, "aXc")
    edited = sketch.tell(union, "aXvc")
    assert_reads(sketch, edited, "aXvc")
    assert 2 in sketch.graph.deeds[4].needs
    assert_reads(sketch, sketch.tell(edited, "aXVc"), "aXVc")


def test_each_round_of_a_line_replaced_on_both_sides_is_resolved() -> None:
    sketch = Sketch()
    state = sketch.tell([], "0")
    for number in range(12):
        one, other = sketch.tell(state, chr(97 + number)), sketch.tell(state, chr(65 + number))
        assert not sketch.read(one | other).is_clean
        state = sketch.tell(one | other, str(number % 10))
        assert sketch.show(state) == str(number % 10)
    assert_consistent(sketch.graph)


def test_a_wrapped_block_that_is_deleted_conflicts_with_an_insertion_inside() -> None:
    sketch = Sketch()
    base = state = sketch.tell([], "abcd")
    for _ in range(30):
        state = sketch.tell(state, "(" + sketch.show(state) + ")")
    gone = sketch.tell(state, "")
    inside = sketch.tell(base, "abxcd")
    assert_consistent(sketch.graph)
    assert sketch.show(gone | inside) == "{|abxcd}"
    assert len(sketch.graph.weave) < 80


def test_neighbouring_pairs_replaced_by_five_changes_read_alike_in_every_order() -> None:
    sketch = Sketch((0, 5, 3, 1, 4, 2))
    base = sketch.tell([], "abcdef")
    union = BitMap()
    for place in range(5):
        text = "abcdef"[:place] + "VWXYZ"[place] + "abcdef"[place + 2 :]
        union |= sketch.tell(base, text)
    assert len(list(sketch.orders(1000))) == 120
    assert_reads(sketch, union, sketch.show(union))
    assert not sketch.read(union).is_clean


@pytest.mark.parametrize("ranks", list(permutations(range(4))))
def test_a_line_of_a_resolution_may_be_replaced(ranks: tuple[int, ...]) -> None:
    sketch, union = _axb_and_ayb(ranks)
    resolved = sketch.tell(union, "axyb")
    edited = sketch.tell(resolved, "aXyb")
    assert_reads(sketch, resolved, "axyb")
    assert_reads(sketch, edited, "aXyb")


def test_resolutions_that_each_keep_another_side_are_a_conflict_again() -> None:
    sketch, union = _axb_and_ayb()
    both = sketch.tell(union, "axb") | sketch.tell(union, "ayb")
    assert_reads(sketch, both, "a{x|y}b")


def test_keeping_all_against_taking_the_deletion_is_a_conflict_again() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcde")
    union = sketch.tell(base, "abxcde") | sketch.tell(base, "ae")
    assert_reads(sketch, union, "a{|bxcd}e")
    both = sketch.tell(union, "abxcde") | sketch.tell(union, "ae")
    assert_reads(sketch, both, "a{|bxcd}e")


def test_a_deletion_reverted_leaves_the_line_its_blame() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    deleted = sketch.tell(base, "ac")
    reverted = sketch.restored(deleted, sketch.line(base, "b"))
    assert_reads(sketch, reverted, "abc")
    assert sketch.blame(reverted) == [1, 1, 1]
    assert_reads(sketch, sketch.without(reverted, reverted.max()), "ac")


def test_an_insertion_where_a_line_was_deleted_conflicts_once_that_is_unrecorded() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    inserted = sketch.tell(base, "ac", "axc")
    assert_reads(sketch, sketch.without(inserted, 2), "a{b|x}c")


def test_far_apart_edits_of_both_sides_are_clean() -> None:
    sketch = Sketch()
    letters = "".join(chr(0x4E00 + number) for number in range(400))
    base = sketch.tell([], letters)
    left, right = list(letters), list(letters)
    for place in range(0, 400, 4):
        left[place] = chr(0x3041 + place % 80)
        right[place + 2] = chr(0x30A1 + place % 80)
    union = sketch.tell(base, "".join(left)) | sketch.tell(base, "".join(right))
    expected = [left[place] if place % 4 == 0 else right[place] for place in range(400)]
    assert sketch.show(union) == "".join(expected)
    assert is_sole(sketch.graph, union)
