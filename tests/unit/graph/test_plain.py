from oxy.graph.plain import plain_deed
from oxy.graph.reading import Reading
from oxy.graph.text import EDGE, Block, Deletion, Span, point
from oxy.model.operation import IN, OUT, TEXT

READING = Reading([1 << 32, 2 << 32], [3, 2])
NEW = 3 << 32


def test_a_new_block_lies_between_its_neighbours() -> None:
    deed = plain_deed(READING, [(3, 0, 0, 2)], 3)
    left, right = point((1 << 32) + 2, OUT), point(2 << 32, IN)
    assert deed.blocks == (Block(NEW, 2, left, right),)
    assert deed.deletions == ()
    assert deed.needs == (1, 2)


def test_a_block_at_an_edge_has_no_neighbour_there() -> None:
    first, last = plain_deed(READING, [(0, 0, 0, 1), (5, 0, 1, 1)], 3).blocks
    assert first == Block(NEW, 1, EDGE, point(1 << 32, IN))
    assert last == Block(NEW + 1, 1, point((2 << 32) + 1, OUT), EDGE)


def test_the_first_block_of_a_text_has_no_neighbours() -> None:
    deed = plain_deed(Reading([], []), [(0, 0, 0, 4)], 3)
    assert deed.blocks == (Block(NEW, 4, EDGE, EDGE),)
    assert deed.needs == ()


def test_a_replacement_lies_inside_the_last_line_that_it_replaces() -> None:
    deed = plain_deed(READING, [(1, 3, 0, 1)], 3)
    host = 2 << 32
    block = Block(NEW, 1, point(host, TEXT), point(host, OUT))
    assert deed.blocks == (block,)
    assert deed.deletions == (Deletion((Span((1 << 32) + 1, 2), Span(host, 1)), block),)


def test_what_is_only_dropped_has_no_block() -> None:
    deed = plain_deed(READING, [(0, 1, 0, 0), (4, 1, 0, 0)], 3)
    assert deed.blocks == ()
    assert deed.deletions == (
        Deletion((Span(1 << 32, 1),), None),
        Deletion((Span((2 << 32) + 1, 1),), None),
    )
