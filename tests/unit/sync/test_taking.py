"""What somebody pushes, and whether names move."""

import pytest

from oxy.model.digest import ChangeId
from oxy.repo.refname import NameFoldsError
from oxy.repo.refs import BOOKMARK, HERE, TAG, WORKING, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import writing
from oxy.store.protocol import CHANGE
from oxy.sync.errors import RefusedNameError
from oxy.sync.taking import take
from oxy.sync.wish import (
    ABSENT,
    DELETED,
    IN_USE,
    MADE,
    MOVED,
    OTHER,
    UNSEEN,
    Moved,
    Refused,
    State,
    Taken,
    Wish,
)
from tests.builders.exchange import STAMP, Silent, ids, moved
from tests.builders.scribe import MAIN, File, Scribe


@pytest.fixture
def repository() -> Repository:
    """Three changes, one on the other, of which main has the first two."""
    repository = Repository.in_memory()
    scribe = Scribe(repository)
    one = scribe.commit(Name(), {b"a": File(b"1\n")}).number
    two = scribe.commit(Name((one,)), {b"a": File(b"2\n")}).number
    scribe.commit(Name((two,)), {b"a": File(b"3\n")})
    moved(repository, MAIN, Name((two,)))
    return repository


def state(repository: Repository, number: int) -> State:
    return State((ChangeId(repository.store.id_of(CHANGE, number)),))


def asked(repository: Repository, *wishes: Wish) -> Taken:
    return take(repository, STAMP, wishes, (), Silent())


def test_a_bookmark_moves_to_what_has_all_that_it_holds(repository: Repository) -> None:
    taken = asked(repository, Wish(BOOKMARK, b"main", state(repository, 3)))
    assert taken == Taken(0, (Moved(BOOKMARK, b"main", MOVED, 1, 0),))
    assert repository.refs.get(MAIN) == Target(Name((3,)))
    assert asked(repository, Wish(BOOKMARK, b"main", state(repository, 3))) == Taken(0, ())


def test_a_bookmark_goes_back_only_from_what_was_seen(repository: Repository) -> None:
    back = Wish(BOOKMARK, b"main", state(repository, 1))
    refused = Taken(0, (), (Refused(BOOKMARK, b"main", UNSEEN),))
    unknown = State((ChangeId(b"x" * 32),))
    for seen in (None, state(repository, 1), state(repository, 3), unknown):
        assert asked(repository, back._replace(seen=seen)) == refused
    assert repository.refs.get(MAIN) == Target(Name((2,)))
    taken = asked(repository, back._replace(seen=state(repository, 2)))
    assert taken == Taken(0, (Moved(BOOKMARK, b"main", MOVED, 0, 1),))


def test_all_names_move_or_none(repository: Repository) -> None:
    taken = asked(
        repository,
        Wish(BOOKMARK, b"main", state(repository, 1)),
        Wish(BOOKMARK, b"new", state(repository, 1)),
    )
    assert taken == Taken(0, (), (Refused(BOOKMARK, b"main", UNSEEN),))
    assert repository.refs.names(BOOKMARK) == [b"main"]


def test_a_tag_is_made_and_never_moved(repository: Repository) -> None:
    tag = Wish(TAG, b"v1", state(repository, 1), None, ((b"oxy:message", b"One"),))
    assert asked(repository, tag) == Taken(0, (Moved(TAG, b"v1", MADE, 1, 0),))
    assert repository.refs.get(Ref(TAG, b"v1")) == Target(Name((1,)), tag.extra)
    assert asked(repository, tag) == Taken(0, ())
    other = tag._replace(goal=state(repository, 2), seen=state(repository, 1))
    assert asked(repository, other) == Taken(0, (), (Refused(TAG, b"v1", OTHER),))


def test_fields_of_a_bookmark_do_not_travel(repository: Repository) -> None:
    new = Wish(BOOKMARK, b"new", state(repository, 1), None, ((b"oxy:upstream", b"evil"),))
    asked(repository, new)
    assert repository.refs.get(Ref(BOOKMARK, b"new")) == Target(Name((1,)))


def test_a_bookmark_is_deleted_if_it_was_seen_and_nobody_is_on_it(
    repository: Repository,
) -> None:
    gone = Wish(BOOKMARK, b"main", None, state(repository, 2))
    unseen = Taken(0, (), (Refused(BOOKMARK, b"main", UNSEEN),))
    assert asked(repository, gone._replace(seen=None)) == unseen
    assert asked(repository, gone._replace(seen=state(repository, 1))) == unseen
    absent = Taken(0, (), (Refused(BOOKMARK, b"x", ABSENT),))
    assert asked(repository, gone._replace(name=b"x")) == absent
    for ref in (HERE, Ref(WORKING, b"other")):
        with writing(repository, STAMP) as work:
            work.move(ref, Target(Name((2,)), (), b"main"))
        in_use = Taken(0, (), (Refused(BOOKMARK, b"main", IN_USE),))
        assert asked(repository, gone) == in_use
        with writing(repository, STAMP) as work:
            work.move(ref, None)
    assert asked(repository, gone) == Taken(0, (Moved(BOOKMARK, b"main", DELETED, 0, 2),))
    assert repository.refs.names(BOOKMARK) == []
    assert ids(repository, [1, 2, 3])


def test_a_name_or_state_that_is_none_is_refused(repository: Repository) -> None:
    goal = state(repository, 1)
    with pytest.raises(RefusedNameError):
        asked(repository, Wish(BOOKMARK, b"../x", goal))
    with pytest.raises(RefusedNameError, match="is missing"):
        asked(repository, Wish(BOOKMARK, b"x", State((ChangeId(b"x" * 32),))))
    both = tuple(sorted((*goal.heads, *state(repository, 2).heads)))
    with pytest.raises(RefusedNameError, match="not the name of a state"):
        asked(repository, Wish(BOOKMARK, b"x", State(both)))
    with pytest.raises(NameFoldsError):
        asked(repository, Wish(BOOKMARK, b"MAIN", goal))
    assert repository.refs.names(BOOKMARK) == [b"main"]
