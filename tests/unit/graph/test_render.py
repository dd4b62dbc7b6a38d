import pytest
from pyroaring import BitMap

from oxy.graph.render import is_sole, render, survivors
from oxy.graph.text import Span
from tests.graphs.sketch import Sketch


def test_a_text_that_was_never_edited_is_one_span() -> None:
    sketch = Sketch()
    state = sketch.tell([], "abcdefgh")
    assert list(survivors(sketch.graph, state).spans()) == [Span(1 << 32, 8)]


def test_an_empty_state_reads_nothing() -> None:
    sketch = Sketch()
    sketch.tell([], "abc")
    assert survivors(sketch.graph, BitMap()).total == 0
    assert render(sketch.graph, BitMap(), sketch).is_clean


def test_survivors_are_what_a_clean_state_renders() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcdef")
    union = sketch.tell(base, "aXbcdef", "aYbcdef") | sketch.tell(base, "abcef")
    for state in (base, union, sketch.without(union, 2), BitMap([1, 4])):
        reading = render(sketch.graph, state, sketch)
        assert reading.is_clean
        assert list(survivors(sketch.graph, state).spans()) == list(reading.spans())


@pytest.mark.parametrize("text", ["axyb", "ayxb"])
def test_survivors_follow_orders_that_go_against_the_weave(text: str) -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    resolved = sketch.tell(union, text)
    assert sketch.text(survivors(sketch.graph, resolved).spans()).decode() == text


def test_a_state_is_sole_where_nothing_is_unordered_or_open() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    unordered = sketch.tell(base, "axbcd") | sketch.tell(base, "aybcd")
    opened = sketch.tell(base, "abc") | sketch.tell(base, "abcD")
    apart = sketch.tell(base, "Abcd") | sketch.tell(base, "abcD")
    assert [is_sole(sketch.graph, state) for state in (base, unordered, opened, apart)] == [
        True,
        False,
        False,
        True,
    ]
