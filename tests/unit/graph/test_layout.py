from oxy.graph.draft import Draft, Piece, flat
from oxy.graph.layout import lay_out
from oxy.graph.recorded import Source
from oxy.graph.text import EDGE, Block, Span, point
from oxy.model.operation import IN, OUT, TEXT
from tests.graphs.sketch import Sketch


def kept(line: int) -> Piece:
    return Piece(Span(line, 1), Source(1, None, None))


def fresh(size: int, *dropped: Span) -> Piece:
    return Piece(None, Source(size, 0, None), dropped)


def drafted(sketch: Sketch, *texts: str) -> tuple[Draft, list[int]]:
    """Return an empty draft of a text, and the lines that it shows."""
    state = sketch.tell([], *texts)
    reading = sketch.read(state)
    edits = [(number, 0, 0, 0) for number in range(reading.total)]
    draft = Draft(sketch.graph, state, reading, 9, edits)
    return draft, [line for start, size in flat(reading) for line in range(start, start + size)]


def test_a_block_goes_between_the_kept_lines_around_it() -> None:
    draft, (a, b) = drafted(Sketch(), "ab")
    layout = lay_out(draft, [kept(a), fresh(2), kept(b)])
    assert layout.blocks == (Block(9 << 32, 2, point(a, OUT), point(b, IN)),)
    assert layout.out == (Span(a, 1), Span(9 << 32, 2), Span(b, 1))


def test_new_pieces_side_by_side_are_one_block_with_all_their_sources() -> None:
    draft, (a, b) = drafted(Sketch(), "ab")
    layout = lay_out(draft, [kept(a), fresh(2), fresh(1), kept(b)])
    assert [block.size for block in layout.blocks] == [3]
    assert [source.size for source in layout.sources] == [2, 1]


def test_a_block_takes_the_place_of_what_it_replaces() -> None:
    draft, (a, b, c) = drafted(Sketch(), "abc")
    layout = lay_out(draft, [kept(a), fresh(1, Span(b, 1)), kept(c)])
    assert layout.blocks == (Block(9 << 32, 1, point(b, TEXT), point(b, OUT)),)


def test_a_block_at_an_edge_is_bound_by_it() -> None:
    draft, (a,) = drafted(Sketch(), "a")
    first, last = lay_out(draft, [fresh(1), kept(a), fresh(1)]).blocks
    assert first == Block(9 << 32, 1, EDGE, point(a, IN))
    assert last == Block((9 << 32) + 1, 1, point(a, OUT), EDGE)


def test_a_line_that_insert_edges_do_not_reach_gives_no_point() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    state = sketch.tell(union, "axyb")
    reading = sketch.read(state)
    draft = Draft(sketch.graph, state, reading, 9, [])
    x, y, b = (sketch.line(state, letter) for letter in "xyb")
    layout = lay_out(draft, [kept(x), fresh(1), kept(y), kept(b)])
    assert layout.blocks == (Block(9 << 32, 1, point(x, OUT), point(b, IN)),)


def test_where_a_following_line_lies_inside_a_block_goes_in_there() -> None:
    sketch = Sketch()
    state = sketch.tell([], "abc", "aXc")
    b = sketch.line([1], "b")
    state = sketch.restored(state, b)
    reading = sketch.read(state)
    assert sketch.show(state) == "abXc"
    draft = Draft(sketch.graph, state, reading, 9, [])
    x = sketch.line(state, "X")
    layout = lay_out(draft, [kept(b), fresh(1), kept(x)])
    assert layout.blocks == (Block(9 << 32, 1, point(b, TEXT), point(x, IN)),)
