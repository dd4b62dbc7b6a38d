from pyroaring import BitMap

from oxy.graph.draft import flat
from oxy.graph.settle import record_disputed
from oxy.graph.text import Precedence, Span, Verdict
from tests.graphs.sketch import Sketch


def test_dead_lines_that_are_kept_are_restored_from_all_deletions_that_count() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    union = sketch.tell(base, "ad") | sketch.tell(base, "abxcd") | sketch.tell(base, "d")
    resolved = sketch.tell(union, "abxcd")
    cancelled = {
        sketch.letters[cancel.span.start]: cancel.deletions
        for cancel in sketch.graph.deeds[5].cancels
    }
    assert cancelled == {"a": (4,), "b": (2, 4)} | {"c": (2, 4)}
    assert sketch.show(resolved) == "abxcd"


def test_kept_lines_of_a_conflict_are_kept_on_purpose() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    sketch.tell(union, "axb")
    deed = sketch.graph.deeds[4]
    assert deed.keeps == (Span(2 << 32, 1),)
    assert [deletion.spans for deletion in deed.deletions] == [(Span(3 << 32, 1),)]


def test_lines_without_an_order_are_ordered() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    sketch.tell(union, "ayxb")
    assert sketch.graph.deeds[4].orders == (Precedence(3 << 32, 2 << 32, 0),)


def test_a_contradiction_is_resolved_by_stating_the_order_anew() -> None:
    sketch = Sketch()
    base = sketch.tell([], "ab")
    union = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    both = sketch.tell(union, "axyb") | sketch.tell(union, "ayxb")
    resolved = sketch.tell(both, "axyb")
    deed = sketch.graph.deeds[6]
    assert deed.unorders == ((4, 0), (5, 0))
    assert deed.orders == (Precedence(2 << 32, 3 << 32, 0),)
    assert sketch.show(resolved) == "axyb"


def test_what_the_result_would_show_is_settled() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "aXc") | sketch.tell(base, "ac")
    sketch.tell(union, "aXc")
    assert sketch.graph.deeds[4].verdicts == (Verdict(Span(2 << 32, 1), 3, 0),)


def test_a_dependency_that_nothing_else_names_is_named_by_a_verdict() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abc")
    union = sketch.tell(base, "axbc") | sketch.tell(base, "axbc")
    reading = sketch.read(union)
    deed = record_disputed(sketch.graph, union, reading, [(2, 1, 2, 0)], 4).deed
    assert deed.needs == (1, 2, 3)
    assert Verdict(Span(2 << 32, 1), 4, 0) in deed.verdicts


def test_orders_that_close_a_circle_with_those_of_the_state_are_stated_anew() -> None:
    sketch = Sketch((9, 2, 0, 8, 1))
    base = sketch.tell([], "ab")
    two = sketch.tell(base, "axb") | sketch.tell(base, "ayb")
    union = sketch.tell(two, "axyb") | sketch.tell(base, "azb")
    reading = sketch.read(union)
    assert sketch.text(flat(reading)) == b"ayzxb"
    made = sketch.made(union, "aybzx", reading)
    assert made.deed.unorders == ((4, 0),)
    sketch.take(6, made, "aybzx", union)
    assert sketch.show(union | BitMap([6])) == "aybzx"
