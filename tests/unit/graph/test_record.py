import pytest
from pyroaring import BitMap

from oxy.graph.record import record
from oxy.graph.recorded import Source
from oxy.graph.text import Span
from tests.graphs.consistency import assert_consistent, canonical
from tests.graphs.sketch import Sketch


def test_what_is_inserted_comes_from_the_new_text() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    edits = [(1, 1, 1, 2), (4, 0, 5, 1)]
    made = record(sketch.graph, base, sketch.read(base), edits, 2)
    assert made.sources == (Source(2, 1, None), Source(1, 5, None))
    assert list(made.reading.spans()) == [
        Span(1 << 32, 1),
        Span(2 << 32, 2),
        Span((1 << 32) + 2, 2),
        Span((2 << 32) + 2, 1),
    ]


def test_no_edits_make_no_operations() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    made = record(sketch.graph, base, sketch.read(base), [], 2)
    assert not any(made.deed)
    assert made.sources == ()


@pytest.mark.parametrize("text", ["axyb", "ayxb", "axb", "ab", "azb", "", "xayb"])
def test_recording_on_a_conflict_leaves_the_graph_as_it_was(text: str) -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    before = canonical(sketch.graph)
    made = sketch.made(union, text, sketch.read(union))
    assert canonical(sketch.graph) == before
    sketch.take(4, made, text, union)
    union.add(4)
    assert sketch.show(union) == text
    assert list(sketch.read(union).spans()) == list(made.reading.spans())
    assert_consistent(sketch.graph)


def test_the_reading_that_is_given_is_what_the_state_then_reads() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcdef")
    union = sketch.tell(base, "abXdef") | sketch.tell(base, "abdef")
    resolved = sketch.tell(union, "abXdef")
    for text in ("abXYdef", "aXdef", "abdefg", "ZabXdef"):
        made = sketch.made(resolved, text, sketch.read(resolved))
        sketch.take(sketch.next_change(), made, text, resolved)
        after = resolved | BitMap([len(sketch.contexts)])
        assert sketch.show(after) == text
        assert list(sketch.read(after).spans()) == list(made.reading.spans())
