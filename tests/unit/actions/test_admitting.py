import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from oxy.actions.access import Rights
from oxy.actions.admitting import Admitted
from oxy.actions.hosting import Hosted
from oxy.actions.oplog import operations
from oxy.model.digest import ChangeId
from oxy.repo.refs import BOOKMARK, TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import CHANGE
from oxy.sync.endpoint import Stored, holds_none
from oxy.sync.errors import NotStoredError
from oxy.sync.part import ChangePart
from oxy.sync.wish import NOT_ALLOWED, STOPPED, Moved, Refused, State, Taken, Wish
from tests.builders.exchange import Silent
from tests.builders.history import History

STAMP = Stamp(1, 0, b"ann", b"name")


class Place:
    """A repository with a change on main, one more on secret, and a tag of that."""

    def __init__(self, root: Path) -> None:
        self.root = os.fsencode(root)
        repository = Repository.create(self.root, "fast")
        history = History(repository)
        first = history.commit({b"a": b"1\n"})
        second = history.commit({b"b": b"2\n"}, first, bookmark=b"secret")
        with writing(repository, STAMP) as work:
            work.move(Ref(TAG, b"v1"), Target(Name((second,))))
        self.ids = [ChangeId(each) for each in repository.store.ids_of(CHANGE, [1, 2])]
        repository.store.close()

    def admitted(self, rights: Rights) -> Admitted:
        return Admitted(Hosted(self.root, b"serve", Silent(), rights.user.encode()), rights)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def sent(host: Admitted, *want: ChangeId) -> list[ChangeId]:
    found = host.missing(want, (), holds_none)
    return [part.id for part in found if isinstance(part, ChangePart)]


def test_what_is_not_read_is_as_if_it_were_not_there(place: Place) -> None:
    host = place.admitted(Rights("ada", ("main",)))
    assert [each.name for each in host.refs()] == [b"main"]
    assert host.known(place.ids) == (True, False)
    assert sent(host, place.ids[0]) == place.ids[:1]
    with pytest.raises(NotStoredError):
        sent(host, place.ids[1])
    assert host.holds([b"x" * 32]) == ()
    host.close()


def test_who_reads_all_has_all(place: Place) -> None:
    host = place.admitted(Rights("ada", ("*",)))
    assert [each.name for each in host.refs()] == [b"main", b"secret", b"v1"]
    assert host.known(place.ids) == (True, True)
    assert sent(host, place.ids[1]) == place.ids
    host.close()


def wish(name: bytes, *heads: ChangeId, seen: State | None = None) -> Wish:
    return Wish(BOOKMARK, name, State(heads), seen)


def test_only_what_may_be_pushed_is(place: Place) -> None:
    host = place.admitted(Rights("ada", ("*",), ("ada/*",), ("ada/*",)))
    (first, second) = place.ids
    refused = host.take([wish(b"main", second)], ())
    assert refused == Taken(0, (), (Refused(BOOKMARK, b"main", NOT_ALLOWED),))
    assert host.take([wish(b"ada/x", second)], ()).moved == (
        Moved(BOOKMARK, b"ada/x", 1, 2, 0),
    )
    gone = Wish(BOOKMARK, b"main", None, State((first,)))
    assert host.take([gone], ()).refused == (Refused(BOOKMARK, b"main", NOT_ALLOWED),)
    gone = Wish(BOOKMARK, b"ada/x", None, State((second,)))
    assert host.take([gone], ()).moved == (Moved(BOOKMARK, b"ada/x", 2, 0, 2),)
    host.close()


def test_what_is_hidden_is_not_had_by_pushing_its_name(place: Place) -> None:
    host = place.admitted(Rights("eve", ("main", "eve/*"), ("eve/*",)))
    found = host.take([wish(b"eve/x", place.ids[1])], ())
    assert found.refused == (Refused(BOOKMARK, b"eve/x", NOT_ALLOWED),)
    host.close()


def test_the_operation_log_names_the_user(place: Place) -> None:
    host = place.admitted(Rights("ada", ("*",), ("*",)))
    host.take([wish(b"x", place.ids[0])], ())
    host.close()
    repository = Repository.at(place.root)
    assert next(iter(operations(repository)))[1].user == b"ada"
    repository.store.close()


class Watching:
    """Says no to what is called so, and keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[bytes, int]] = []

    def before(self, _root: bytes, user: bytes, wishes: Sequence[Wish]) -> bool:
        assert user == b"ada"
        return all(each.name != b"no" for each in wishes)

    def after(self, _root: bytes, user: bytes, taken: Taken) -> None:
        self.told.append((user, len(taken.moved)))


def test_who_watches_is_asked_first_and_told_after(place: Place) -> None:
    watch = Watching()
    host = Hosted(place.root, b"serve", Silent(), b"ada", watch)
    found = host.take([wish(b"no", place.ids[0])], ())
    assert found == Taken(0, (), (Refused(BOOKMARK, b"no", STOPPED),))
    host.take([wish(b"yes", place.ids[0])], ())
    assert watch.told == [(b"ada", 1)]
    assert [each.name for each in Stored(host.repository).refs()] == [
        b"main",
        b"secret",
        b"yes",
        b"v1",
    ]
    host.close()


def test_blobs_that_wait_for_a_change_are_told_to_who_reads_all(place: Place) -> None:
    class Waiting(Hosted):
        """A repository to which a push was lost."""

        def waiting(self) -> Sequence[bytes]:
            return (b"x" * 32,)

    host = Waiting(place.root, b"serve", Silent(), b"ada")
    assert Admitted(host, Rights("ada", ("*",))).waiting() == (b"x" * 32,)
    assert Admitted(host, Rights("ada", ("main",))).waiting() == ()
