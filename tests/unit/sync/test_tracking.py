"""What a bookmark becomes (S14), against plain sets."""

from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from oxy.repo.refs import Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.sync.tracking import pulled, remote_ref, taken_of, tracking
from tests.builders.scribe import File, Scribe
from tests.strategies.links import Links, closed, linked, plain


@given(linked(), st.data())
def test_what_was_taken_back_goes_unless_own_changes_depend_on_it(
    links: Links, data: st.DataObject
) -> None:
    local, tracked, remote = (data.draw(closed(links)) for _ in range(3))
    states = links.recorded()
    done = pulled(states, links.name(local), links.name(tracked), links.name(remote))
    back = (tracked - remote) & local
    needed: set[int] = set()
    for change in sorted((local - back - remote) | remote, reverse=True):
        needed |= depended(links, change)
    stays = back & needed
    assert plain(done.stays) == stays
    assert plain(done.gone) == back - stays
    assert plain(done.came) == remote - local
    result = (local - (back - stays)) | remote
    assert done.state == links.name(frozenset(result))
    assert all(set(links.links[change].deps) <= result for change in result)


def depended(links: Links, change: int) -> set[int]:
    found: set[int] = set()
    work = [change]
    while work:
        deps = set(links.links[work.pop()].deps) - found
        found |= deps
        work += deps
    return found


def test_what_was_taken_last_stands_beside_where_it_differs() -> None:
    repository = Repository.in_memory()
    scribe = Scribe(repository)
    first = scribe.commit(Name(), {b"f": File(b"1\n")}).number
    second = scribe.commit(Name((first,)), {b"f": File(b"2\n")}).number
    old, new, store = Name((first,)), Name((second,)), repository.store
    assert tracking(store, new, None) == tracking(store, new, new) == Target(new)
    for taken in (old, Name(), Name((second,), (first,))):
        assert taken_of(store, tracking(store, Name((1, 2)), taken)) == taken
    assert taken_of(store, Target(new)) == new
    assert taken_of(store, None) == Name()
    assert remote_ref(b"main", b"/there") == (4, b"main@/there")
    assert BitMap([1]) == repository.states.members(old)
