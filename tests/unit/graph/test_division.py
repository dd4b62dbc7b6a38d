from pyroaring import BitMap

from oxy.graph.division import Division, Region
from oxy.graph.net import Net
from oxy.graph.pairs import open_pairs
from tests.graphs.sketch import Sketch


def divided(sketch: Sketch, state: BitMap) -> Division:
    net = Net(sketch.graph, state)
    return Division(net, open_pairs(net))


def shown(sketch: Sketch, division: Division) -> list[str]:
    """Return the parts of a text in letters, each region's live ones in braces."""
    starts = division.net.starts
    return [
        "{" + "".join(sorted(sketch.letters[starts[run]] for run in part.live)) + "}"
        if isinstance(part, Region)
        else sketch.letters[starts[part]]
        for part in division.parts()
    ]


def test_regions_lie_between_lines_that_nothing_disputes() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    division = divided(sketch, sketch.tell(base, "axbuc") | sketch.tell(base, "aybvc"))
    assert shown(sketch, division) == ["a", "{xy}", "b", "{uv}", "c"]
    assert [division.named(region) for region in division.regions()] == [{2, 3}, {2, 3}]


def test_a_region_names_the_changes_of_its_open_pairs() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    division = divided(sketch, sketch.tell(base, "aXc") | sketch.tell(base, "ac"))
    (region,) = division.regions()
    assert division.named(region) == {2, 3}
    assert len(region.runs) == 2
    assert len(region.live) == 1


def test_orders_that_contradict_each_other_make_a_region() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    two = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    division = divided(sketch, sketch.tell(two, "axyb") | sketch.tell(two, "ayxb"))
    assert shown(sketch, division) == ["a", "{xy}", "b"]


def test_a_text_without_dispute_has_no_region() -> None:
    sketch = Sketch()
    state = sketch.tell([], "abc", "axc")
    assert list(divided(sketch, state).regions()) == []
