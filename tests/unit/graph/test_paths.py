import pytest

from oxy.graph.paths import Paths
from oxy.graph.text import point
from oxy.model.operation import OUT, TEXT
from tests.graphs.sketch import Sketch


def test_a_line_leads_to_the_next_through_ghosts() -> None:
    sketch = Sketch()
    state = sketch.tell([], "ab", "axyb", "axb", "ab")
    paths = Paths(sketch.graph, state)
    a, b = sketch.line(state, "a"), sketch.line(state, "b")
    assert paths.reaches(point(a, OUT), b)
    assert not paths.reaches(point(b, OUT), a)


def test_a_block_of_another_state_is_no_way() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    both = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    joined = sketch.tell(both, "axyb")
    x, y = sketch.line(joined, "x"), sketch.line(joined, "y")
    assert Paths(sketch.graph, joined).reaches(point(x, OUT), y)
    assert not Paths(sketch.graph, joined).reaches(point(x, OUT), y, has_orders=False)
    assert not Paths(sketch.graph, both).reaches(point(x, OUT), y)


@pytest.mark.parametrize("text", ["axyb", "ayxb"])
def test_orders_lead_either_way_along_the_weave(text: str) -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    state = sketch.tell(sketch.tell(base, "axb") | sketch.tell(base, "ayb"), text)
    upper, lower = (sketch.line(state, letter) for letter in text[1:3])
    paths = Paths(sketch.graph, state)
    assert paths.reaches(point(upper, OUT), lower)
    assert not paths.reaches(point(lower, OUT), upper)


def test_what_lies_inside_is_reached_from_the_text_alone() -> None:
    sketch = Sketch()
    state = sketch.tell([], "abc", "aXc")
    b, x = sketch.line([1], "b"), sketch.line(state, "X")
    paths = Paths(sketch.graph, state)
    assert paths.has_inside(b)
    assert not paths.has_inside(x)
    assert paths.reaches(point(b, TEXT), x)
    assert not paths.reaches(point(b, OUT), x)
    assert paths.reaches(point(x, TEXT), sketch.line(state, "c"))
