from oxy.graph.draft import flat
from oxy.graph.places import Place, places
from oxy.graph.reading import Conflict, Reading, Side
from oxy.graph.text import Span
from tests.graphs.sketch import Sketch


def test_a_conflict_stands_where_its_sides_are_listed() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "axbuc") | sketch.tell(base, "aybvwc")
    reading = sketch.read(union)
    assert sketch.text(flat(reading)) == b"axybuvwc"
    assert places(reading) == (
        Place(1, 3, (((1, 2),), ((2, 3),))),
        Place(4, 7, (((4, 5),), ((5, 7),))),
    )


def test_an_empty_side_has_no_lines() -> None:
    sketch = Sketch((0, 1, 2))
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "aXc") | sketch.tell(base, "ac")
    assert places(sketch.read(union)) == (Place(1, 2, (((1, 2),), ())),)


def test_a_line_of_two_sides_stands_with_the_first_of_them() -> None:
    sides = (
        Side(2, (Span(10, 4), Span(20, 1))),
        Side(3, (Span(30, 1), Span(11, 2), Span(20, 1))),
    )
    (place,) = places(Reading([1], [2], (Conflict(1, sides),)))
    assert place == Place(2, 8, (((2, 7),), ((7, 8), (3, 5), (6, 7))))
