from pyroaring import BitMap

from oxy.graph.reading import Conflict
from tests.graphs.sketch import Sketch


def only_conflict(sketch: Sketch, state: BitMap) -> Conflict:
    (conflict,) = sketch.read(state).conflicts
    return conflict


def test_a_region_reaches_to_the_nearest_lines_that_nothing_names() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcdef")
    union = sketch.tell(base, "abcf") | sketch.tell(base, "abcdxef")
    assert sketch.show(union) == "abc{|dxe}f"


def test_conflicts_far_apart_are_two_regions() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcde")
    union = sketch.tell(base, "Abcdx") | sketch.tell(base, "Bbcdy")
    assert sketch.show(union) == "{A|B}bcd{x|y}"


def test_sides_come_by_the_ids_of_their_changes() -> None:
    for ranks, order in (((0, 1, 2), [2, 3]), ((0, 2, 1), [3, 2])):
        sketch = Sketch(ranks)
        base = sketch.tell([], "ab")
        union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
        assert [side.change for side in only_conflict(sketch, union).sides] == order


def test_sides_that_read_the_same_are_one_at_the_first_of_them() -> None:
    sketch = Sketch((0, 3, 1, 2))
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb") | sketch.tell(base, "axb")
    assert [side.change for side in only_conflict(sketch, union).sides] == [3, 4]
    assert sketch.show(union) == "a{x|y}b"


def test_a_side_that_is_in_conflict_contributes_its_own_sides() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    two = sketch.tell(base, "aXc") | sketch.tell(base, "aYc")
    three = two | sketch.tell(base, "aZc")
    both = sketch.tell(two, "aXYc") | sketch.tell(two, "aXc")
    union = sketch.tell(three, "aXc") | sketch.tell(both, "aXYc")
    assert sketch.show(union) == "aX{|Y}c"
    assert len(only_conflict(sketch, union).sides) == 2


def test_a_region_with_one_side_left_keeps_the_smallest_line() -> None:
    sketch = Sketch((0, 2, 1))
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "axb")
    assert sketch.show(union) == "axb"
    assert sketch.blame(union) == [1, 3, 1]


def test_what_is_known_through_a_change_of_another_text_is_known() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcde")
    gone = sketch.tell(base, "ae")
    elsewhere = sketch.passed_by(sketch.tell(base, "abxcde"))
    assert sketch.show(sketch.tell(elsewhere, "abxcyde") | gone) == "a{|bxcyd}e"
