from pyroaring import BitMap

from oxy.graph.deed import Block, Deed
from oxy.graph.grounds import REMEMBERED, WARM, Grounds
from tests.graphs.sketch import Sketch


def test_the_empty_state_is_always_known() -> None:
    grounds = Grounds()
    assert grounds.has(BitMap())
    assert grounds.largest() == BitMap()
    assert not grounds.has(BitMap([1]))


def test_grounds_below_a_state_come_largest_first() -> None:
    grounds = Grounds()
    for state in ([1], [1, 2, 3], [1, 2], [4]):
        grounds.note(BitMap(state))
    found = [list(ground.state) for ground in grounds.below(BitMap([1, 2, 3, 5]))]
    assert found == [[1, 2, 3], [1, 2], [1]]


def test_what_has_a_change_that_means_something_else_is_forgotten() -> None:
    grounds = Grounds()
    grounds.note(BitMap([1]))
    grounds.note(BitMap([1, 2]))
    grounds.note_open(BitMap([2, 3]))
    grounds.forget(2)
    assert grounds.has(BitMap([1]))
    assert not grounds.has(BitMap([1, 2]))
    assert not grounds.is_open(BitMap([2, 3]))


def test_the_oldest_grounds_are_forgotten() -> None:
    grounds = Grounds()
    for change in range(1, REMEMBERED + 2):
        grounds.note(BitMap([change]))
        grounds.note_open(BitMap([change, 1000]))
    assert not grounds.has(BitMap([1]))
    assert not grounds.is_open(BitMap([1, 1000]))
    assert grounds.has(BitMap([2]))


def test_a_change_that_does_something_else_than_was_expected_is_no_ground() -> None:
    meant = Deed((), (Block(1 << 32, 1, -1, -1),))
    grounds = Grounds()
    grounds.expect(1, meant, BitMap([1]))
    grounds.arrive(1, Deed())
    assert not grounds.has(BitMap([1]))
    grounds.expect(1, meant, BitMap([1]))
    grounds.arrive(1, meant._replace(needs=(7,)))
    assert grounds.has(BitMap([1]))


def test_what_is_recorded_on_a_known_state_is_known_once_it_is_applied() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    one, other = sketch.tell(base, "aXc"), sketch.tell(base, "aYc")
    known = sketch.graph.grounds
    assert known.has(base)
    assert known.has(one)
    assert known.has(other)
    assert not known.has(one | other)
    assert known.has(sketch.tell(one | other, "aXc"))
    sketch.graph.unapply(4)
    assert not known.has(BitMap([1, 2, 3, 4]))


def test_what_grounds_remember_is_dropped_for_that_of_others() -> None:
    grounds = Grounds()
    for change in range(1, WARM + 2):
        grounds.note(BitMap([change]))
        for ground in grounds.below(BitMap([change])):
            assert ground.members == {change}
            ground.alive[0] = True
    first, *_, last = (next(grounds.below(BitMap([change]))) for change in (1, WARM, WARM + 1))
    assert first.alive == {}
    assert first.members == {1}
    assert last.alive == {0: True}
