from pyroaring import BitMap

from oxy.graph.net import Net
from oxy.graph.pairs import open_pairs
from oxy.graph.text import Cancel, Deed, Span
from tests.graphs.sketch import Sketch


def pairs(sketch: Sketch, state: BitMap) -> set[tuple[str, int, int]]:
    """Return the open pairs of a state, with the first letter of each run."""
    net = Net(sketch.graph, state)
    return {
        (sketch.letters[net.starts[run]], deletion, keeper)
        for run, deletion, keeper in open_pairs(net).pairs
    }


def drawn(sketch: Sketch, state: BitMap) -> str:
    net = Net(sketch.graph, state)
    return "".join(sorted(sketch.letters[net.starts[run]] for run in open_pairs(net).drawn))


def test_a_replacement_stands_for_a_line_that_another_deletes() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "aXc") | sketch.tell(base, "ac")
    assert pairs(sketch, union) == {("X", 3, 0)}
    assert drawn(sketch, union) == "Xb"


def test_what_replaces_a_replacement_stands_for_the_first_line_too() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "ac") | sketch.tell(base, "aXc", "aYc", "aZc")
    assert pairs(sketch, union) == {("Z", 2, 0)}


def test_two_replacements_stand_against_each_other() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "aXc") | sketch.tell(base, "aYc")
    assert pairs(sketch, union) == {("X", 3, 0), ("Y", 2, 0)}


def test_a_line_between_two_lines_of_one_deletion_is_open() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    union = sketch.tell(base, "ad") | sketch.tell(base, "abxcd")
    assert pairs(sketch, union) == {("x", 2, 0)}


def test_a_line_beside_a_deletion_is_not() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    union = sketch.tell(base, "ad") | sketch.tell(base, "axbcyd")
    assert pairs(sketch, union) == set()


def test_a_restored_line_is_open_against_a_second_deletion() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    once = sketch.tell(base, "ac")
    union = sketch.restored(once, sketch.line(base, "b")) | sketch.tell(base, "ac")
    assert pairs(sketch, union) == {("b", 4, 3)}


def test_a_kept_line_is_open_against_a_later_arrival_that_deletes_it() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    both = sketch.tell(union, "axb") | sketch.tell(union, "ab")
    assert ("x", 5, 4) in pairs(sketch, both)


def test_what_was_settled_is_not_open_while_the_settling_change_is_there() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "aXc") | sketch.tell(base, "ac")
    resolved = sketch.tell(union, "aXc")
    assert pairs(sketch, resolved) == set()
    assert pairs(sketch, union) == {("X", 3, 0)}


def test_a_cancelled_deletion_leaves_nothing_open() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    union = sketch.tell(base, "ad") | sketch.tell(base, "abxcd")
    back = Deed((1,), cancels=(Cancel(Span(sketch.line(base, "b"), 2), (2,)),))
    sketch.contexts[4] = union
    sketch.graph.apply(4, back)
    assert pairs(sketch, union | BitMap([4])) == set()
