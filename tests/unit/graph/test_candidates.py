from collections.abc import Iterator
from itertools import permutations

import pytest
from pyroaring import BitMap

from oxy.graph.candidates import candidates, sorted_runs
from oxy.graph.draft import flat
from oxy.graph.net import Net
from oxy.graph.reading import Reading
from oxy.graph.record import record
from tests.graphs.sketch import Sketch, edits_between


def told(sketch: Sketch, *parents: BitMap) -> Reading:
    union = BitMap().union(*parents)
    return candidates(sketch.graph, union, parents, sketch.rank)


def shown(sketch: Sketch, reading: Reading) -> str:
    return sketch.text(flat(reading)).decode()


def test_sides_that_are_clean_together_are_read_as_they_are() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    one, other = sketch.tell(base, "Abc"), sketch.tell(base, "abC")
    reading = told(sketch, one, other)
    assert reading.is_clean
    assert shown(sketch, reading) == "AbC"


def test_a_line_that_one_parent_still_has_may_be_kept() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    one, other = sketch.tell(base, "ac"), sketch.tell(base, "aXc")
    reading = told(sketch, one, other)
    assert shown(sketch, reading) == "aXc"
    assert len(reading.conflicts) == 1


def test_lines_without_an_order_are_all_candidates_by_id() -> None:
    for ranks, text in (((0, 1, 2), "axyb"), ((0, 2, 1), "ayxb")):
        sketch = Sketch(ranks)
        base = sketch.tell([], "ab")
        reading = told(sketch, sketch.tell(base, "axb"), sketch.tell(base, "ayb"))
        assert shown(sketch, reading) == text


def test_all_that_has_no_order_with_something_is_in_dispute() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    one, other = sketch.tell(base, "axb", "axyb"), sketch.tell(base, "azb")
    (conflict,) = told(sketch, one, other).conflicts
    assert conflict.position == 1
    assert sketch.text(conflict.sides[0].spans).decode() == "xyz"


@pytest.mark.parametrize("text", ["abXcd", "ad", "aXd", "abcd", "", "zaXz", "dXcba"])
def test_any_resolution_of_the_candidates_reads_back(text: str) -> None:
    for ranks in permutations(range(3)):
        sketch = Sketch((9, *ranks))
        base = sketch.tell([], "abcd")
        parents = [sketch.tell(base, side) for side in ("ad", "abXcd", "aYd")]
        union = BitMap().union(*parents)
        reading = told(sketch, *parents)
        edits = edits_between(shown(sketch, reading), text)
        made = record(sketch.graph, union, reading, edits, 5)
        sketch.take(5, made, text, union)
        assert sketch.show(union | BitMap([5])) == text
        assert sketch.read(union | BitMap([5])).is_clean


def test_the_order_of_runs_does_not_depend_on_where_they_were_cut() -> None:
    sketch = Sketch((0, 2, 1))
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axyzb") | sketch.tell(base, "apqb")

    def sorted_lines() -> list[int]:
        net = Net(sketch.graph, union)
        return [
            line
            for run in sorted_runs(net, [True] * len(net.starts), sketch.rank)
            for line in range(net.starts[run], net.starts[run] + net.sizes[run])
        ]

    before = sorted_lines()
    assert "".join(sketch.letters[line] for line in before) == "apqxyzb"
    sketch.graph.weave.cut(sketch.line(union, "y"))
    sketch.graph.weave.cut(sketch.line(union, "q"))
    assert sorted_lines() == before


def test_a_smaller_ground_is_taken_where_a_branch_began_before_the_larger() -> None:
    sketch = Sketch()
    old = sketch.tell([], *("abcdefgh"[:end] for end in range(1, 9)))
    fork = sketch.tell(old, "abXdefgh")
    ground = sketch.tell(old, "abdefgh")
    one, other = sketch.tell(ground | fork, "abXdefgh"), sketch.tell(ground, "abQdefgh")
    asked: list[BitMap] = []

    def grounds() -> Iterator[BitMap]:
        for state in (ground, old):
            asked.append(state)
            yield state

    parents = [one, other]
    union = one | other
    above = candidates(sketch.graph, union, parents, sketch.rank, grounds())
    whole = candidates(sketch.graph, union, parents, sketch.rank)
    assert shown(sketch, above) == shown(sketch, whole)
    assert above.conflicts == whole.conflicts
    assert (above.ground, whole.ground) == (old, None)
    assert asked == [ground, old]
