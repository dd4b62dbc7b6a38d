from pyroaring import BitMap

from oxy.graph.net import Net
from oxy.graph.orders import effective_orders
from oxy.graph.text import Precedence
from tests.graphs.sketch import Sketch


def net_of(sketch: Sketch, state: BitMap) -> Net:
    return Net(sketch.graph, state)


def letters(sketch: Sketch, net: Net) -> str:
    return "".join(sketch.letters[net.starts[run]] for run in net.live())


def test_a_net_has_the_runs_of_its_state_alone() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    sketch.tell(base, "axb")
    union = base | sketch.tell(base, "ayb")
    net = net_of(sketch, union)
    assert letters(sketch, net) == "ayb"
    assert len(net.starts) == 3


def test_two_blocks_between_the_same_neighbours_have_no_order() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    net = net_of(sketch, sketch.tell(base, "axb") | sketch.tell(base, "ayb"))
    assert not net.is_total()
    first, x, y, last = net.live()
    assert not net.follows(x, y)
    assert not net.follows(y, x)
    assert net.follows(first, last)


def test_order_reaches_through_ghosts() -> None:
    sketch = Sketch()
    state = sketch.tell([], "ab", "axb", "axyb", "ayb", "ab")
    net = net_of(sketch, state)
    assert net.is_total()
    assert letters(sketch, net) == "ab"


def test_an_order_against_the_weave_is_followed() -> None:
    for texts in (("axyb", "ayxb"), ("ayxb", "axyb")):
        sketch = Sketch()
        base = sketch.tell([], "ab")
        union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
        resolved = [sketch.tell(union, text) for text in texts]
        for state, text in zip(resolved, texts, strict=True):
            net = net_of(sketch, state)
            assert net.is_total()
            assert letters(sketch, net) == text
        assert {net_of(sketch, state).is_bent for state in resolved} == {True, False}


def test_orders_that_contradict_each_other_are_a_cycle() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    net = net_of(sketch, sketch.tell(union, "axyb") | sketch.tell(union, "ayxb"))
    assert net.has_cycle
    assert not net.is_total()
    live = net.live()
    assert len(net.ordered(live, live)) == 2


def test_an_order_that_was_replaced_does_not_count() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    both = sketch.tell(union, "axyb") | sketch.tell(union, "ayxb")
    x, y = sketch.line(both, "x"), sketch.line(both, "y")
    assert set(effective_orders(sketch.graph, both)) == {
        Precedence(x, y, 0),
        Precedence(y, x, 0),
    }
    resolved = sketch.tell(both, "axyb")
    assert set(effective_orders(sketch.graph, resolved)) == {Precedence(x, y, 0)}


def test_what_lies_inside_a_line_ends_before_its_out() -> None:
    sketch = Sketch()
    state = sketch.tell([], "abc", "aXYc")
    net = net_of(sketch, state)
    old, new, last = (
        net.index[sketch.line(part, letter)]
        for part, letter in (([1], "b"), (state, "X"), (state, "c"))
    )
    assert new in net.inside(old)
    assert last not in net.inside(old)
    assert net.inside(new) == set()
    runs = range(len(net.starts))
    assert {run for run in runs if net.is_reached(2 * old, run)} == {new, last}
    assert {run for run in runs if net.is_reached(2 * old + 1, run)} == {last}


def test_runs_of_a_range_are_given_in_order() -> None:
    sketch = Sketch()
    state = sketch.tell([], "abcdef", "abXcdYef")
    net = net_of(sketch, state)
    assert [net.sizes[run] for run in net.runs_in(1 << 32, 6)] == [2, 2, 2]
