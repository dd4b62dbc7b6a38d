"""States of changes and their names against plain sets (spec: states, S3 to S7)."""

from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from oxy.repo.halving import halving, suspects
from oxy.repo.sets import closure, dependents, with_added, without
from oxy.repo.states import Name
from tests.strategies.links import Links, closed, linked, plain


@given(linked())
def test_the_state_of_a_change_is_its_context_and_itself(links: Links) -> None:
    states = links.recorded()
    for change in reversed(links.links):
        assert plain(states.of_change(change)) == links.states[change]
        assert states.name_of_change(change) == links.name(links.states[change])


@given(linked(), st.data())
def test_a_name_tells_its_state_and_a_state_its_name(links: Links, data: st.DataObject) -> None:
    states = links.recorded()
    state = data.draw(closed(links))
    name = links.name(state)
    assert states.name_of(BitMap(state)) == name
    assert plain(states.members(name)) == state


@given(linked(), st.data())
def test_members_are_what_is_reached_without_what_is_absent(
    links: Links, data: st.DataObject
) -> None:
    changes = st.lists(st.sampled_from(sorted(links.links)), max_size=3, unique=True)
    heads = data.draw(changes)
    absent = [change for change in data.draw(changes) if change not in heads]
    name = Name(tuple(sorted(heads)), tuple(sorted(absent)))
    assert plain(links.recorded().members(name)) == links.walk(name)


@given(linked(), st.data())
def test_joining_names_is_naming_the_union(links: Links, data: st.DataObject) -> None:
    parts = data.draw(st.lists(closed(links), max_size=3))
    joined = links.recorded().join(tuple(map(links.name, parts)))
    assert joined == links.name(frozenset[int]().union(*parts))


@given(linked(), st.data())
def test_a_change_knows_what_it_reaches_inside_a_state(
    links: Links, data: st.DataObject
) -> None:
    state = data.draw(closed(links))
    states = links.recorded()
    for change in state:
        assert plain(states.knows(change, BitMap(state))) == links.knows(change, state)


@given(linked())
def test_links_are_read_as_they_were_recorded(links: Links) -> None:
    states = links.recorded()
    assert {change: states.link(change) for change in links.links} == links.links


@given(linked(), st.data())
def test_a_state_is_named_with_what_is_added_and_without_what_is_taken(
    links: Links, data: st.DataObject
) -> None:
    one, other = data.draw(closed(links)), data.draw(closed(links))
    states = links.recorded()
    gained = with_added(states, links.name(one), BitMap(other - one))
    assert gained == links.name(one | other)
    some = data.draw(st.sets(st.sampled_from(sorted(one)), max_size=2)) if one else set()
    gone = BitMap(some) | dependents(states, BitMap(one), some)
    assert without(states, links.name(one), gone) == links.name(one - frozenset(gone))


@given(linked(), st.data())
def test_what_depends_on_a_change_is_what_closes_over_it(
    links: Links, data: st.DataObject
) -> None:
    states = links.recorded()
    state = data.draw(closed(links))
    for change in state:
        found = dependents(states, BitMap(state), [change])
        closing = {other for other in state if change in closure(states, [other])}
        assert plain(found) == closing - {change}


@given(linked(), st.data())
def test_halving_finds_the_one_change_that_all_bad_states_have(
    links: Links, data: st.DataObject
) -> None:
    states = links.recorded()
    state = data.draw(closed(links).filter(bool))
    culprit = data.draw(st.sampled_from(sorted(state)))
    bad, good = [links.name(state)], [Name()]
    left = suspects(states, bad, good)
    while len(left) > 1:
        chosen = halving(states, left, ())
        assert chosen is not None
        answer = bad if culprit in states.of_change(chosen) else good
        answer.append(states.name_of_change(chosen))
        before, left = left, suspects(states, bad, good)
        assert left < before
    assert plain(left) == {culprit}
