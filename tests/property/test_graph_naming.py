"""Deeds to edits: the short way of plain deeds says what the long way does (spec: model)."""

from hypothesis import given
from hypothesis import strategies as st

from oxy.graph.naming import edit_of
from oxy.graph.text import EDGE, Block, Deed, Deletion, Span, point
from oxy.graph.weave import SHIFT
from oxy.model.operation import IN, OUT, TEXT, Lines

CHANGES = st.integers(1, 4)
LINES = st.builds(lambda change, index: change << SHIFT | index, CHANGES, st.integers(0, 20))
POINTS = st.one_of(st.just(EDGE), st.builds(point, LINES, st.sampled_from([IN, TEXT, OUT])))
KEPT = Span(1 << SHIFT, 1)


@st.composite
def plain_deeds(draw: st.DrawFn) -> Deed:
    """Draw a deed of change 9 that inserts blocks and deletes stretches."""
    blocks: list[Block] = []
    start = 9 << SHIFT
    for size in draw(st.lists(st.integers(1, 3), max_size=3)):
        blocks.append(Block(start, size, draw(POINTS), draw(POINTS)))
        start += size
    spans = st.lists(st.builds(Span, LINES, st.integers(1, 3)), min_size=1, max_size=4)
    free: list[Block | None] = [None, *blocks]
    deletions = [
        Deletion(tuple(draw(spans)), draw(st.sampled_from(free)))
        for _ in range(draw(st.integers(0, 3)))
    ]
    return Deed((), tuple(blocks), tuple(deletions))


@given(plain_deeds(), st.permutations(range(1, 5)))
def test_a_plain_deed_is_named_as_any_other(deed: Deed, order: list[int]) -> None:
    refs = {9: 0, **{change: ref for ref, change in enumerate(order, 1)}}
    edit = edit_of(deed, refs.__getitem__)
    long_way = edit_of(deed._replace(keeps=(KEPT,)), refs.__getitem__)
    assert long_way.keeps == (Lines(refs[1], 0, 1),)
    assert edit == long_way._replace(keeps=())
