"""Registers against the rule by which they are told (spec: names, N2 to N5)."""

import msgpack
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from oxy.model.operation import KIND_TEXT, MODE, PLACE
from oxy.repo.registers import Registers, view

CHANGES = range(1, 8)
Written = dict[int, tuple[bytes, set[int]]]


@st.composite
def written(draw: st.DrawFn) -> Written:
    """Draw the writes of one register, each of which may replace earlier ones."""
    writes: Written = {}
    for change in draw(st.sets(st.sampled_from(CHANGES))):
        value = draw(st.sampled_from([b"a", b"b", b"c"]))
        earlier = [other for other in writes if other < change]
        writes[change] = value, draw(st.sets(st.sampled_from(earlier))) if earlier else set()
    return writes


@given(written(), st.sets(st.sampled_from(CHANGES)), st.permutations(CHANGES))
def test_the_values_are_what_nothing_there_replaces(
    writes: Written, state: set[int], order: list[int]
) -> None:
    registers = Registers(KIND_TEXT)
    for change, (value, replaces) in sorted(writes.items()):
        row = [(PLACE, value, sorted(replaces)), (MODE, 1, [])]
        registers.add(change, msgpack.packb(row))
    live = {
        change
        for change in writes
        if change in state and not any(change in writes[o][1] for o in state if o in writes)
    }
    values = registers.values(PLACE, BitMap(state))
    assert {c: each.value for each in values for c in each.changes} == {
        change: writes[change][0] for change in live
    }
    assert len({each.value for each in values}) == len(values)
    assert registers.live_writes(PLACE, BitMap(state)) == tuple(sorted(live))
    ranked = sorted(live, key=order.index)
    seen = view(registers, KIND_TEXT, BitMap(state), lambda c: bytes([order.index(c)]))
    assert seen.path == (writes[ranked[0]][0] if ranked else None)
    assert (PLACE in seen.disputed) == (len(values) > 1)
