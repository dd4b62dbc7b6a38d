from unittest.mock import patch

from pyroaring import BitMap

from oxy.graph.dispute import Dispute
from oxy.graph.division import Division
from oxy.graph.net import Net
from oxy.graph.pairs import open_pairs
from oxy.graph.part import Part
from tests.graphs.sketch import Sketch


def disputed(sketch: Sketch, state: BitMap) -> Dispute:
    net = Net(sketch.graph, state)
    division = Division(net, open_pairs(net))
    (region,) = division.regions()
    return Dispute(division, region, sketch)


def live(sketch: Sketch, part: Part) -> str:
    return "".join(sketch.letters[part.starts[run]] for run in part.live())


def test_the_heads_are_the_named_changes_that_no_other_knows() -> None:
    sketch = Sketch((0, 2, 1, 3))
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "aXc", "aYc") | sketch.tell(base, "aZc")
    assert disputed(sketch, union).heads == [3, 4]


def test_each_head_has_what_it_knows_and_the_base_what_all_know() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    union = sketch.tell(base, "aXbcd") | sketch.tell(base, "aYbcd")
    shares = disputed(sketch, union).shares()
    assert live(sketch, shares.side(2)) == "X"
    assert live(sketch, shares.side(3)) == "Y"
    assert live(sketch, shares.base()) == ""


def test_what_depends_on_another_side_goes_with_it() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    one = sketch.tell(base, "aXd")
    union = sketch.tell(one, "aXYd") | sketch.tell(base, "abPd")
    assert sketch.show(union) == "a{XY|bP}d"
    assert live(sketch, disputed(sketch, union).shares().side(4)) == "bP"


def test_a_side_is_made_of_its_own_runs_and_the_shared_ones() -> None:
    """The rows of all sides together grow with the sides, not with their square."""
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = BitMap(base)
    for number in range(60):
        union |= sketch.tell(base, f"a{chr(0x100 + number)}b")
    made: list[int] = []
    real = Part.__init__

    def counted(
        part: Part, whole: Net, state: BitMap, rows: list[tuple[int, int, int]]
    ) -> None:
        made.append(len(rows))
        real(part, whole, state, rows)

    with patch.object(Part, "__init__", counted):
        (conflict,) = sketch.read(union).conflicts
    assert len(conflict.sides) == 60
    assert made == [1] * 60
