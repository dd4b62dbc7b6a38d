from pyroaring import BitMap

from oxy.graph.base import bases
from tests.graphs.sketch import Sketch


def shown(sketch: Sketch, state: BitMap) -> list[str]:
    """Return the base of each conflict of a state."""
    reading = sketch.read(state)
    found = bases(sketch.graph, state, reading, sketch)
    return [sketch.text(spans).decode().replace("\n", "") for spans in found]


def test_the_base_is_what_both_sides_started_from() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    union = sketch.tell(base, "aXd") | sketch.tell(base, "abYd")
    assert sketch.show(union) == "a{X|bY}d"
    assert shown(sketch, union) == ["bc"]


def test_two_conflicts_have_a_base_each_and_new_lines_have_none() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "XbcU") | sketch.tell(base, "YbcV")
    assert sketch.show(union) == "{X|Y}bc{U|V}"
    assert shown(sketch, union) == ["a", ""]


def test_texts_that_share_nothing_have_an_empty_base() -> None:
    sketch = Sketch()
    union = sketch.tell([], "a") | sketch.tell([], "b")
    assert sketch.show(union) == "{a|b}"
    assert shown(sketch, union) == [""]


def test_what_both_knew_to_be_gone_is_not_in_the_base() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abycd", "abcd")
    union = sketch.tell(base, "aXcd") | sketch.tell(base, "aZcd")
    assert sketch.show(union) == "a{X|Z}cd"
    assert shown(sketch, union) == ["b"]


def test_a_line_that_a_third_deleted_is_in_the_base_as_in_the_sides() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    union = sketch.tell(base, "abXd") | sketch.tell(base, "abYd") | sketch.tell(base, "acd")
    assert sketch.show(union) == "a{bX|bY}d"
    assert shown(sketch, union) == ["bc"]


def test_a_clean_text_has_no_base() -> None:
    sketch = Sketch()
    assert shown(sketch, sketch.tell([], "abc")) == []


def test_what_only_some_sides_know_is_not_in_the_base() -> None:
    sketch = Sketch()
    root = sketch.tell([], "abc")
    one = sketch.tell(root, "aXc")
    union = sketch.tell(one, "aYc") | sketch.tell(one, "aZc") | sketch.tell(root, "aWc")
    assert sketch.show(union) == "a{W|Y|Z}c"
    assert shown(sketch, union) == ["b"]
