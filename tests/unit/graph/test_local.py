import pytest
from pyroaring import BitMap

from oxy.graph.local import local_deed
from oxy.graph.naming import edit_of
from oxy.graph.settle import record_disputed
from oxy.graph.text import Deed, Span, Verdict
from tests.graphs.sketch import Sketch, edits_between


def found(sketch: Sketch, state: BitMap, text: str) -> Deed | None:
    """Return what is found beside the edits; it is what the whole text says."""
    reading = sketch.read(state)
    edits = edits_between(sketch.show(state), text)
    change = sketch.next_change()
    told = (sketch.graph, state, reading, edits, change)
    deed = local_deed(*told)
    whole = record_disputed(*told).deed
    assert deed is None or edit_of(deed, int) == edit_of(whole, int)
    return deed


def settled_between() -> tuple[Sketch, BitMap]:
    """Return a text that reads abxcd, where x is settled against a deletion of b and c."""
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    union = sketch.tell(base, "ad") | sketch.tell(base, "abxcd")
    return sketch, sketch.tell(union, "axd")


def test_a_replacement_is_not_settled_against_what_the_line_was_settled_against() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "aXc") | sketch.tell(base, "ac")
    state = sketch.tell(union, "aXc")
    deed = found(sketch, state, "aYc")
    assert deed is not None
    assert Verdict(Span(5 << 32, 1), 3, 0) not in deed.verdicts


@pytest.mark.parametrize("text", ["axyd", "ayxd", "ayd"])
def test_lines_beside_one_that_lies_inside_a_deletion_are_settled_too(text: str) -> None:
    sketch, state = settled_between()
    deed = found(sketch, state, text)
    assert deed is not None
    assert {verdict.deletion for verdict in deed.verdicts} <= {2, 4, 5}


def test_deleting_what_was_kept_on_purpose_is_settled() -> None:
    sketch, state = settled_between()
    deed = found(sketch, state, "ad")
    assert deed is not None
    assert deed.verdicts == (Verdict(Span(3 << 32, 1), 5, 4),)


def test_edits_far_from_the_dispute_say_nothing_more() -> None:
    sketch, state = settled_between()
    for text in ("axdz", "zaxd", "Axd"):
        deed = found(sketch, state, text)
        assert deed is not None
        assert not any(deed[3:])


def test_between_lines_that_only_an_order_joins_the_whole_text_is_asked() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    state = sketch.tell(sketch.tell(base, "axb") | sketch.tell(base, "ayb"), "axyb")
    assert found(sketch, state, "axzyb") is None
    assert found(sketch, state, "axyzb") is not None


def test_beside_a_restored_line_with_something_inside_the_whole_text_is_asked() -> None:
    sketch = Sketch()
    state = sketch.tell([], "abc", "aXc")
    state = sketch.restored(state, sketch.line([1], "b"))
    assert sketch.read(state).is_clean
    assert found(sketch, state, "abzXc") is None
