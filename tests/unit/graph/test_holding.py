import pytest
from pyroaring import BitMap

from oxy.graph.draft import flat
from oxy.graph.holding import KeptConflictError
from oxy.graph.record import record
from oxy.graph.text import Precedence
from tests.graphs.sketch import Edits, Sketch


def beside(sketch: Sketch, state: BitMap, text: str, edits: Edits, *kept: int) -> BitMap:
    """Record edits beside kept conflicts, new lines taken from a text; return the state."""
    change = sketch.next_change()
    reading = sketch.read(state)
    made = record(sketch.graph, state, reading, edits, change, frozenset(kept))
    sketch.take(change, made, text, state)
    return state | BitMap([change])


def disputed(sketch: Sketch, base: str, *texts: str) -> BitMap:
    root = sketch.tell([], base)
    return BitMap.union(*(sketch.tell(root, text) for text in texts))


def test_an_edit_elsewhere_leaves_a_conflict_and_depends_on_none_of_its_sides() -> None:
    sketch = Sketch()
    union = disputed(sketch, "abcd", "axbcd", "aybcd")
    after = beside(sketch, union, "D", [(5, 1, 0, 1)], 0)
    assert sketch.show(after) == "a{x|y}bcD"
    assert sketch.graph.deeds[4].needs == (1,)


def test_a_replaced_line_is_replaced_in_place_beside_a_kept_conflict() -> None:
    sketch = Sketch()
    union = disputed(sketch, "ab", "axb", "ayb")
    after = beside(sketch, union, "B", [(3, 1, 0, 1)], 0)
    assert sketch.show(after) == "a{x|y}B"
    assert sketch.graph.deeds[4].deletions[0].block is not None


def test_new_lines_beside_a_kept_conflict_are_ordered_against_all_its_lines() -> None:
    sketch = Sketch()
    union = disputed(sketch, "ab", "axb", "ayb")
    after = beside(sketch, union, "pq", [(1, 0, 0, 1), (3, 0, 1, 1)], 0)
    assert sketch.show(after) == "ap{x|y}qb"
    p, q = 4 << 32, (4 << 32) + 1
    assert {*sketch.graph.deeds[4].orders} >= {
        Precedence(2 << 32, q, 0),
        Precedence(3 << 32, q, 0),
        Precedence(p, 3 << 32, 0),
    }


def test_one_conflict_is_resolved_and_another_left() -> None:
    sketch = Sketch()
    union = disputed(sketch, "abc", "axbuc", "aybvc")
    assert sketch.text(flat(sketch.read(union))) == b"axybuvc"
    assert sketch.show(beside(sketch, union, "", [(1, 1, 0, 0)], 1)) == "ayb{u|v}c"
    assert sketch.show(beside(sketch, union, "", [(5, 1, 0, 0)], 0)) == "a{x|y}buc"


def test_the_neighbour_of_a_kept_conflict_goes_on_every_side() -> None:
    """Another line of one side goes with it, so that the change depends on that side."""
    sketch = Sketch()
    union = disputed(sketch, "abcd", "axbcpd", "aybcd")
    after = beside(sketch, union, "", [(3, 1, 0, 0), (5, 1, 0, 0)], 0)
    assert sketch.graph.deeds[4].needs == (1, 2)
    assert sketch.show(after) == "a{x|y}cd"


def test_lines_that_died_before_do_not_come_back_when_the_neighbour_goes() -> None:
    sketch = Sketch()
    root = sketch.tell([], "agbc")
    union = sketch.tell(root, "agbxc") | sketch.tell(root, "agbyc") | sketch.tell(root, "abc")
    assert sketch.show(union) == "ab{x|y}c"
    assert sketch.show(beside(sketch, union, "", [(1, 1, 0, 0)], 0)) == "a{x|y}c"


def test_a_kept_conflict_can_be_resolved_later() -> None:
    sketch = Sketch()
    union = disputed(sketch, "abc", "aXc", "ac")
    after = beside(sketch, union, "C", [(2, 1, 0, 1)], 0)
    assert sketch.show(after) == "a{|X}C"
    assert sketch.show(sketch.tell(after, "aXC")) == "aXC"
    assert sketch.show(sketch.tell(after, "aC")) == "aC"


@pytest.mark.parametrize("edit", [(1, 1, 0, 0), (2, 0, 0, 1), (0, 2, 0, 0), (2, 2, 0, 1)])
def test_an_edit_that_reaches_into_a_kept_conflict_is_refused(
    edit: tuple[int, int, int, int],
) -> None:
    sketch = Sketch()
    union = disputed(sketch, "ab", "axb", "ayb")
    with pytest.raises(KeptConflictError) as caught:
        beside(sketch, union, "z", [edit], 0)
    assert (caught.value.conflict, caught.value.rule) == (0, "an edit reaches into it")


def test_two_kept_conflicts_need_a_line_between_them() -> None:
    sketch = Sketch()
    union = disputed(sketch, "abc", "axbuc", "aybvc")
    with pytest.raises(KeptConflictError) as caught:
        beside(sketch, union, "", [(3, 1, 0, 0)], 0, 1)
    assert caught.value.rule == "nothing is left between it and the next"
    assert sketch.show(beside(sketch, union, "B", [(3, 1, 0, 1)], 0, 1)) == "a{x|y}B{u|v}c"
