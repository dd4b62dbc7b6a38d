from pyroaring import BitMap

from oxy.graph.draft import Draft, flat
from oxy.graph.reading import Conflict, Reading, Side, Twin
from oxy.graph.text import Span
from tests.graphs.sketch import Sketch, edits_between


def draft_of(sketch: Sketch, state: BitMap, text: str) -> tuple[Draft, str]:
    """Return the draft of a text, and its pieces in letters: new lines are shown as `+`."""
    reading = sketch.read(state)
    edits = edits_between(sketch.text(flat(reading)).decode(), text)
    draft = Draft(sketch.graph, state, reading, sketch.next_change(), edits)
    pieces = [
        "+" * piece.source.size if piece.kept is None else sketch.text([piece.kept]).decode()
        for piece in draft.pieces(edits)
    ]
    return draft, "".join(pieces)


def dropped(sketch: Sketch, draft: Draft) -> list[str]:
    return [sketch.text(deletion.spans).decode() for deletion in draft.deletions]


def test_the_sides_of_a_conflict_are_counted_one_after_the_other() -> None:
    sides = (Side(2, (Span(20, 1), Span(30, 2))), Side(3, (Span(20, 1), Span(40, 1))))
    reading = Reading([1, 9], [2, 1], (Conflict(1, sides),))
    assert flat(reading) == [Span(1, 2), Span(20, 1), Span(30, 2), Span(40, 1), Span(9, 1)]


def test_a_twin_beneath_is_not_counted() -> None:
    reading = Reading([1], [2], (), (Twin((Span(1, 1),), (Span(7, 1),)),))
    assert flat(reading) == [Span(1, 2)]


def test_edits_of_a_conflict_keep_drop_and_insert() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    draft, pieces = draft_of(sketch, union, "ayzb")
    assert pieces == "ay+b"
    assert dropped(sketch, draft) == ["x"]
    assert draft.is_conflict


def test_editing_beside_twins_drops_those_beneath_and_leans_on_the_shown() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "axbc") | sketch.tell(base, "axbc")
    draft, pieces = draft_of(sketch, union, "axzbc")
    assert pieces == "ax+bc"
    assert dropped(sketch, draft) == ["x"]
    assert draft.leans == {2: Span(2 << 32, 1)}


def test_editing_far_from_twins_leaves_them() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    union = sketch.tell(base, "axbcd") | sketch.tell(base, "axbcd")
    draft, _ = draft_of(sketch, union, "axbcdz")
    assert draft.deletions == []
    assert draft.leans == {}


def test_a_line_that_would_stand_against_the_insert_edges_is_made_anew() -> None:
    sketch = Sketch((0, 1, 2))
    base = sketch.tell([], "abcd")
    union = sketch.tell(base, "Pd") | sketch.tell(base, "aQ")
    draft, pieces = draft_of(sketch, union, "PdaQ")
    assert pieces == "Pd+Q"
    assert dropped(sketch, draft) == ["a"]


def test_live_lines_that_no_side_shows_are_dropped() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb") | sketch.tell(base, "axb")
    draft, pieces = draft_of(sketch, union, "axyb")
    assert pieces == "axyb"
    assert [deletion.spans for deletion in draft.deletions] == [(Span(4 << 32, 1),)]
    assert 2 in draft.leans
