from pyroaring import BitMap

from oxy.graph.net import Net
from oxy.graph.pairs import open_pairs
from oxy.graph.part import SPENT, Part, Row
from tests.graphs.sketch import Sketch


def rows(sketch: Sketch, net: Net, letters: str) -> list[Row]:
    return [
        (start, size, fate)
        for start, size, fate in zip(net.starts, net.sizes, net.fates, strict=True)
        if sketch.letters[start] in letters
    ]


def live(sketch: Sketch, net: Net) -> str:
    return "".join(sketch.letters[net.starts[run]] for run in net.live())


def replaced() -> tuple[Sketch, Net]:
    """Return the net of a{X|Y}c, where both replace b."""
    sketch = Sketch()
    base = sketch.tell([], "abc")
    return sketch, Net(sketch.graph, sketch.tell(base, "aXc") | sketch.tell(base, "aYc"))


def test_a_part_has_its_own_runs_alone() -> None:
    sketch, net = replaced()
    part = Part(net, net.whole, rows(sketch, net, "bXY"))
    assert live(sketch, part) == live(sketch, net)[1:-1]
    assert not part.is_total()
    assert part.runs_in(1 << 32, 3) == [part.index[(1 << 32) + 1]]
    assert {change for change, _ in part.deletions(part.state)} == {2, 3}
    assert open_pairs(part).is_open


def test_a_part_has_a_state_of_its_own() -> None:
    sketch, net = replaced()
    part = Part(net, BitMap([1, 2]), rows(sketch, net, "bX"))
    assert live(sketch, part) == "X"
    assert not open_pairs(part).is_open
    assert live(sketch, Part(net, BitMap([1]), rows(sketch, net, "b"))) == "b"


def test_spent_lines_are_dead_and_come_into_no_pair() -> None:
    sketch, net = replaced()
    spent = [
        (start, size, SPENT if sketch.letters[start] == "b" else fate)
        for start, size, fate in rows(sketch, net, "bXY")
    ]
    assert live(sketch, Part(net, BitMap([1]), spent[:1])) == ""
    part = Part(net, net.whole, spent)
    assert not open_pairs(part).is_open
    assert not list(part.deletions(part.state))


def test_orders_within_a_part_count_and_others_do_not() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    net = Net(sketch.graph, sketch.tell(union, "ayxb"))
    assert live(sketch, Part(net, net.whole, rows(sketch, net, "xy"))) == "yx"
    part = Part(net, net.whole - BitMap([4]), rows(sketch, net, "xy"))
    assert not part.is_total()


def test_what_is_settled_or_kept_of_other_lines_is_not_here() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcde")
    union = sketch.tell(base, "aXcde") | sketch.tell(base, "acde")
    net = Net(sketch.graph, sketch.tell(union, "aXcde"))
    here = Part(net, net.whole, rows(sketch, net, "bX"))
    assert [claim.change for claim in here.claims()] == [4]
    assert [change for _, change in here.kept()] == [4]
    there = Part(net, net.whole, rows(sketch, net, "cde"))
    assert not list(there.claims())
    assert not list(there.kept())
