from oxy.diff.slide import Block, places, slide
from oxy.diff.window import ListWindow


def test_the_place_of_a_block_counts_unchanged_lines() -> None:
    assert list(places([Block(2, 4), Block(5, 6)])) == [2, 3]


def test_a_block_slides_to_stand_beside_one_of_the_other_side() -> None:
    old = ListWindow([b"a", b"x", b"x", b"b"], 0, 4)
    new = ListWindow([b"a", b"y", b"x", b"b"], 0, 4)
    dropped, added = slide(old, new, [Block(2, 3)], [Block(1, 2)])
    assert (dropped, added) == ([Block(1, 2)], [Block(1, 2)])


def test_blocks_that_touch_become_one() -> None:
    old = ListWindow([b"x", b"x", b"x", b"x", b"e"], 0, 5)
    new = ListWindow([b"x", b"x", b"e"], 0, 3)
    assert slide(old, new, [Block(0, 1), Block(2, 3)], []) == ([Block(2, 4)], [])


def test_a_block_that_cannot_slide_stays() -> None:
    old = ListWindow([b"a", b"b", b"c"], 0, 3)
    new = ListWindow([b"a", b"c"], 0, 2)
    assert slide(old, new, [Block(1, 2)], []) == ([Block(1, 2)], [])
