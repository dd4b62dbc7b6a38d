from pyroaring import BitMap

from oxy.graph.finder import FEW, Finder
from oxy.graph.text import Fate, TextGraph
from tests.graphs.sketch import Sketch


def test_the_deletion_of_a_line_is_found() -> None:
    sketch = Sketch()
    sketch.tell([], "abcdef", "aXcdf")
    finder = Finder(sketch.graph)
    line = 1 << 32
    assert finder.hunk(line + 1, 2).block is not None
    assert finder.hunk(line + 4, 2).block is None


def test_many_deletions_count_as_few_do() -> None:
    graph = TextGraph()
    many = tuple(range(1, FEW + 3))
    plain = graph.fate_index(Fate(many))
    cancelled = graph.fate_index(Fate(many, ((1, 90), (2, 91))))
    state = BitMap([1, 2, 3, 90])
    finder = Finder(graph)
    assert finder.counting(plain, state) == graph.counting(plain, state) == (1, 2, 3)
    assert finder.counting(cancelled, state) == (2, 3)
    assert finder.deleting(cancelled, state) == (1, 2, 3)


def test_the_changes_that_need_a_change_are_found() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    sketch.tell(base, "axb", "aXb")
    sketch.tell(base, "zab")
    finder = Finder(sketch.graph)
    assert finder.children(1) == [2, 4]
    assert finder.children(2) == [3]
    assert finder.children(4) == []
