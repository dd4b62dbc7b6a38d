import pytest

from oxy.repo.refs import (
    BOOKMARK,
    DISCARDED,
    FIRST,
    HERE,
    SEARCH,
    WORKING,
    Ref,
    Target,
    is_elsewhere,
    seen,
    stored,
)
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import writing
from tests.builders.history import History

REFS = [Ref(kind, name) for kind in (WORKING, SEARCH, DISCARDED) for name in (b"", b"w", b"x")]


@pytest.mark.parametrize("workspace", [b"", b"w", b"v"])
def test_what_a_workspace_sees_and_what_is_stored_are_the_same_names(workspace: bytes) -> None:
    assert [stored(seen(ref, workspace), workspace) for ref in REFS] == REFS
    assert len({seen(ref, workspace) for ref in REFS}) == len(REFS)
    assert stored(HERE, workspace) == Ref(WORKING, workspace)


def test_a_workspace_calls_its_own_by_no_name_and_the_first_by_a_dot() -> None:
    assert seen(Ref(WORKING, b"w"), b"w") == HERE
    assert seen(HERE, b"w") == Ref(WORKING, FIRST)
    assert seen(Ref(BOOKMARK, b"w"), b"w") == Ref(BOOKMARK, b"w")


def test_what_has_a_name_of_its_kind_is_elsewhere() -> None:
    assert is_elsewhere(Ref(WORKING, b"w"))
    assert not is_elsewhere(HERE)
    assert not is_elsewhere(Ref(BOOKMARK, b"w"))


def test_names_are_written_and_read_as_the_workspace_sees_them() -> None:
    history = History(Repository.in_memory())
    store, target = history.repository.store, Target(Name(), (), b"main")
    other = Repository(b"/dev/null", store)
    other.workspace = b"w"
    first = history.commit({b"f": b"1\n"})
    viewed = type(other.refs)(store, b"w")
    with writing(other, history.stamp()) as work:
        work.move(HERE, target)
    assert viewed.get(HERE) == target
    assert history.repository.refs.get(Ref(WORKING, b"w")) == target
    assert viewed.get(Ref(WORKING, FIRST)) == Target(Name((first,)), (), b"main")
    assert sorted(viewed.names(WORKING)) == [b"", FIRST]
