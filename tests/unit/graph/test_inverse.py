"""Taking back what a change did to a text (spec: graph, G51 to G53; conflicts, C8)."""

from collections.abc import Iterable

from pyroaring import BitMap

from oxy.graph.inverse import Inverse, inverse
from oxy.graph.reading import Reading
from oxy.graph.recorded import Recorded
from oxy.graph.text import Deed, Deletion, Span
from oxy.graph.weave import SHIFT
from tests.graphs.sketch import Sketch


def made(sketch: Sketch, state: Iterable[int], change: int) -> Inverse:
    """Return what takes a change back in a state."""
    state = BitMap(state)
    known = (sketch.contexts[change] & state) | BitMap([change])
    return inverse(sketch.graph, change, known, state, sketch.next_change())


def reverted(sketch: Sketch, state: Iterable[int], change: int) -> BitMap:
    """Record what takes a change back, knowing what that knew where the two disagree."""
    state = BitMap(state)
    done = made(sketch, state, change)
    known = (sketch.contexts[change] & state) | BitMap([change])
    number = sketch.next_change()
    context = known if done.is_disputed else state
    sketch.take(number, Recorded(done.deed, (), Reading([], [])), "", context)
    return state | BitMap([number])


def told(*texts: str) -> tuple[Sketch, BitMap]:
    sketch = Sketch()
    return sketch, sketch.tell([], *texts)


def test_a_deletion_reverted_leaves_the_line_its_blame() -> None:
    sketch, state = told("abc", "ac")
    back = reverted(sketch, state, 2)
    assert sketch.show(back) == "abc"
    assert sketch.blame(back) == [1, 1, 1]
    assert sketch.graph.deeds[3].needs == (1,)
    assert sketch.show(back - BitMap([3])) == "ac"
    assert sketch.show(back - BitMap([2])) == "abc"


def test_an_insertion_and_a_replacement_are_taken_back() -> None:
    sketch, state = told("abcd", "aXcYd")
    assert sketch.show(reverted(sketch, state, 2)) == "abcd"


def test_a_change_that_others_were_recorded_after_is_taken_back() -> None:
    sketch, state = told("12345", "12ab5", "1ab5")
    back = reverted(sketch, state, 2)
    assert sketch.show(back) == "1345"


def test_a_revert_is_reverted_as_often_as_one_likes() -> None:
    sketch, state = told("abc", "aXc")
    for number in range(2, 9):
        state = reverted(sketch, state, number)
        assert sketch.show(state) == ("abc" if number % 2 == 0 else "aXc")
    assert sketch.blame(state) == [1, 1, 1]


def test_changes_are_taken_back_one_after_the_other() -> None:
    sketch, state = told("abc", "aXc", "aYc", "aZc")
    for number, text in ((4, "aYc"), (3, "aXc"), (2, "abc")):
        state = reverted(sketch, state, number)
        assert sketch.show(state) == text


def test_a_line_edited_since_is_a_conflict() -> None:
    sketch, state = told("abc", "aXc", "aYc")
    assert sketch.show(reverted(sketch, state, 2)) == "ab{|Y}c"


def test_a_line_deleted_since_stays_so() -> None:
    sketch, state = told("ac", "abc", "ac")
    assert sketch.show(reverted(sketch, state, 2)) == "ac"


def test_a_line_put_since_among_those_that_go_is_a_conflict() -> None:
    sketch, state = told("ad", "abcd", "abxcd")
    assert sketch.show(reverted(sketch, state, 2)) == "a{|bxc}d"


def test_a_line_put_since_where_others_come_back_is_a_conflict() -> None:
    sketch, state = told("abc", "ac", "axc")
    assert sketch.show(reverted(sketch, state, 2)) == "a{b|x}c"


def test_a_second_deletion_that_was_not_known_is_a_conflict() -> None:
    sketch, base = told("abc")
    state = sketch.tell(base, "ac") | sketch.tell(base, "ac")
    assert sketch.show(reverted(sketch, state, 2)) == "a{|b}c"


def test_edits_elsewhere_since_are_no_conflict() -> None:
    sketch, state = told("abcdef", "abXdef", "AbXdef", "AbXdeF")
    assert sketch.show(reverted(sketch, state, 2)) == "AbcdeF"


def test_orders_that_a_change_stated_count_no_more() -> None:
    sketch, base = told("ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    back = reverted(sketch, sketch.tell(union, "axyb"), 4)
    assert sketch.show(back) == "a{x|y}b"


def test_orders_that_a_change_took_away_are_stated_again() -> None:
    sketch, base = told("ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    turned = sketch.tell(sketch.tell(union, "axyb"), "ayxb")
    assert sketch.show(reverted(sketch, turned, 5)) == "axyb"


def test_nothing_is_done_where_nothing_of_it_is_left() -> None:
    for text in ("ac", "abxc", "aXc"):
        sketch, state = told("abc", text)
        back = reverted(sketch, state, 2)
        assert made(sketch, back, 2) == Inverse(Deed(), is_disputed=False)


def test_what_was_one_stretch_is_one_hunk() -> None:
    sketch, state = told("ab", "axyb")
    deed = made(sketch, state, 2).deed
    assert deed.deletions == (Deletion((Span(2 << SHIFT, 2),), None),)
