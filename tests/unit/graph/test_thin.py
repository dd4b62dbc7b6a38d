from pyroaring import BitMap

from oxy.graph.grounds import Grounds
from oxy.graph.thin import HEAD, Thin, thinned
from tests.graphs.sketch import Sketch


def above(
    sketch: Sketch, state: BitMap, *grounds: BitMap, is_whole: bool = False
) -> Thin | None:
    sketch.graph.grounds = Grounds()
    for ground in grounds:
        sketch.graph.grounds.note(ground)
    return thinned(sketch.graph, state, is_whole=is_whole)


def letters(sketch: Sketch, thin: Thin | None) -> str:
    assert thin is not None
    return "".join(sketch.letters[start] for start in thin.starts)


def in_rounds(sketch: Sketch, count: int) -> BitMap:
    state = sketch.tell([], "abc")
    for _ in range(count):
        state = sketch.tell(sketch.tell(state, "aXc") | sketch.tell(state, "aYc"), "aZc")
    return state


def test_dead_lines_of_the_ground_are_not_there() -> None:
    sketch = Sketch()
    ground = in_rounds(sketch, 5)
    union = sketch.tell(ground, "aPc") | sketch.tell(ground, "aQc")
    thin = above(sketch, union, ground)
    assert sorted(letters(sketch, thin)) == list("PQZac")
    assert sketch.show(union) == "a{P|Q}c"


def test_live_lines_far_from_what_is_above_are_passed_over() -> None:
    sketch = Sketch()
    ground = sketch.tell([], "abcdefgh", "abcdxefgh", "abcdxefghy", "zabcdxefghy")
    union = sketch.tell(ground, "zabcdXefghy") | sketch.tell(ground, "zabcdYefghy")
    thin = above(sketch, union, ground)
    assert thin is not None
    assert letters(sketch, thin)[:2] == "ax"
    passed = {
        start: [sketch.letters[span.start] for span in spans]
        for start, spans in thin.passed.items()
    }
    assert passed[HEAD] == ["z"]
    assert [spans for start, spans in passed.items() if start != HEAD] == [["y"]]
    assert sketch.show(union) == "zabcd{X|Y}efghy"
    assert len(above(sketch, union, ground, is_whole=True).starts) == len(thin.starts) + 2  # type: ignore[union-attr]  # there is one


def test_without_a_ground_there_is_no_thin_net() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    assert above(sketch, sketch.tell(base, "aXc")) is None


def test_a_change_that_names_a_dead_line_of_the_ground_needs_the_whole() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    one, other = sketch.tell(base, "aXc"), sketch.tell(base, "aYc")
    assert above(sketch, one | other, one) is None
    assert above(sketch, one | other, one, base) is not None


def test_a_change_between_lines_that_the_ground_deletes_needs_the_whole() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "axbc") | sketch.tell(base, "")
    kept = sketch.tell(union, "x")
    assert above(sketch, sketch.tell(kept, "xy"), kept) is None


def test_a_state_with_twins_beneath_an_edit_elsewhere_is_no_ground() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcdefg")
    twins = sketch.tell(base, "abXcdefg") | sketch.tell(base, "abXcdefg")
    assert sketch.show(twins) == "abXcdefg"
    after = sketch.tell(twins, "abXcdefgh")
    assert sketch.show(after) == "abXcdefgh"
    assert not sketch.graph.grounds.has(after)
