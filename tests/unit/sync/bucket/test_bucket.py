"""A bucket that is pushed to and read (spec: sync, SY22 to SY26, SY93)."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oxy.model.digest import ChangeId
from oxy.model.signature import ARMOR_END, ARMOR_START, Signature
from oxy.repo.refname import RefNameError
from oxy.repo.refs import BOOKMARK
from oxy.repo.signatures import add, mark
from oxy.repo.states import Name
from oxy.repo.writing import writing
from oxy.store.protocol import CHANGE
from oxy.sync import limits
from oxy.sync.bucket.bucket import Bucket, OnlyReadError, SlowUploadError
from oxy.sync.bucket.collecting import collect
from oxy.sync.endpoint import SIGNED_FIELD, Stored
from oxy.sync.errors import LostError, RefusedTransferError
from oxy.sync.wish import ABSENT, MADE, MOVED, UNSEEN, Moved, Refused, Taken
from tests.builders.bucket import Shelved, brought, pushed, wish
from tests.builders.exchange import STAMP, Silent, taken
from tests.builders.scribe import File
from tests.builders.team import Desk

ARMOR = ARMOR_START + b"AAAA\n" + ARMOR_END


@pytest.fixture
def objects() -> Shelved:
    return Shelved()


def test_what_is_pushed_is_brought_whole(objects: Shelved) -> None:
    ada, grace = Desk(objects, b"a"), Desk(objects, b"g")
    for _ in range(5):
        ada.commit()
    assert ada.push() == Taken(5, (Moved(BOOKMARK, b"main", MADE, 5, 0),))
    assert grace.pull() == 5
    ada.commit()
    assert ada.push() == Taken(1, (Moved(BOOKMARK, b"main", MOVED, 1, 0),))
    assert grace.pull() == 1
    assert grace.pull() == 0


def test_nothing_is_in_an_empty_bucket(objects: Shelved) -> None:
    desk = Desk(objects, b"a")
    assert desk.bucket().refs() == ()
    assert desk.bucket().current() is None
    assert desk.pull() == 0


def test_what_was_not_seen_is_not_overwritten(objects: Shelved) -> None:
    ada, grace = Desk(objects, b"a"), Desk(objects, b"g")
    ada.commit()
    ada.push()
    grace.commit()
    before = dict(objects.held)
    assert grace.push() == Taken(0, (), (Refused(BOOKMARK, b"main", UNSEEN),))
    assert objects.held == before
    grace.merge()
    assert grace.push().came == 1
    assert ada.pull() == 1


def test_a_bookmark_goes_if_it_holds_what_was_seen(objects: Shelved) -> None:
    ada = Desk(objects, b"a")
    ada.commit()
    ada.push()
    old = ada.state
    ada.commit()
    ada.push(b"next")
    repository = ada.repository
    assert pushed(ada.bucket(), repository, wish(repository, b"gone", None, old)).refused == (
        Refused(BOOKMARK, b"gone", ABSENT),
    )
    pushed(ada.bucket(), repository, wish(repository, b"main", None, old))
    assert [each.name for each in ada.bucket().refs()] == [b"next"]


def test_who_comes_second_adds_to_what_came_first(objects: Shelved) -> None:
    ada, grace = Desk(objects, b"a"), Desk(objects, b"g")
    for desk in (ada, grace):
        desk.commit()
    late = grace.bucket()
    assert late.refs() == ()
    ada.push(b"ada")
    assert pushed(
        late, grace.repository, wish(grace.repository, b"grace", grace.state, None)
    ) == Taken(1, (Moved(BOOKMARK, b"grace", MADE, 1, 0),))
    assert [each.name for each in ada.bucket().refs()] == [b"ada", b"grace"]
    assert Desk(objects, b"x").pull() == 2


def test_who_comes_second_to_one_bookmark_is_told(objects: Shelved) -> None:
    ada, grace = Desk(objects, b"a"), Desk(objects, b"g")
    for desk in (ada, grace):
        desk.commit()
    late = grace.bucket()
    late.refs()
    ada.push()
    done = pushed(late, grace.repository, wish(grace.repository, b"main", grace.state, None))
    assert done.refused == (Refused(BOOKMARK, b"main", UNSEEN),)
    assert Desk(objects, b"x").pull() == 1


def test_a_push_that_was_killed_anywhere_left_nothing_to_see(objects: Shelved) -> None:
    ada, grace = Desk(objects, b"a"), Desk(objects, b"g")
    ada.commit()
    ada.push()
    grace.pull()
    ada.commit(b"x" * 5000)
    left = 0

    class KilledError(Exception):
        pass

    def kill(what: str, _name: str) -> None:
        nonlocal left
        left -= what in ("create", "replace")
        if left < 0:
            raise KilledError

    for at in range(10):
        left, objects.before = at, kill
        try:
            ada.push()
        except KilledError:
            objects.before = lambda _what, _name: None
            # Either nothing of it, or all of it: the entry was the last that counts.
            assert grace.pull() == 0
        else:
            break
    objects.before = lambda _what, _name: None
    assert at == 3
    assert grace.pull() == 1


def test_an_answer_that_was_lost_is_found_in_the_log(objects: Shelved) -> None:
    ada = Desk(objects, b"a")
    ada.commit()
    create = objects.create

    def twice(name: str, file: object, size: int) -> bool:
        """Write, and say no: as a client does that asks again after a lost answer."""
        done = create(name, file, size)  # type: ignore[arg-type] # as it came
        return done and not name.startswith("oxy/log/")

    objects.create = twice  # type: ignore[method-assign] # a store that loses answers
    assert ada.push().came == 1
    assert [name for name in objects.held if name.startswith("oxy/log")] == [
        "oxy/log/00000000000000000001"
    ]


def test_a_branch_of_what_others_went_on_from_sends_only_itself(objects: Shelved) -> None:
    ada, grace = Desk(objects, b"a"), Desk(objects, b"g")
    ada.commit()
    ada.push()
    grace.merge()
    for _ in range(40):
        ada.commit()
        ada.push()
    grace.commit()
    # Nothing that main holds now is here; all that it stands on is.
    assert grace.push(b"mine").came == 1


def test_reading_and_pushing_stay_as_they_are(objects: Shelved) -> None:
    ada = Desk(objects, b"a")
    reads, writes = [], []
    for _ in range(3 * limits.SINCE * limits.FAN // 8):
        ada.commit()
        objects.asked.clear()
        ada.push()
        writes.append(len(objects.asked))
        objects.asked.clear()
        Bucket(objects, None).refs()
        reads.append(len(objects.asked))
    assert max(reads) == 4
    # The hint, a list, an entry, its base; a load, a leaf, and the entry; now and then more.
    assert max(writes[:20]) <= 7
    assert sorted(writes)[len(writes) * 9 // 10] == 7
    assert max(writes) <= 7 + 2 + limits.FAN


def test_a_hint_that_is_old_or_gone_or_wrong_changes_no_answer(objects: Shelved) -> None:
    ada = Desk(objects, b"a")
    for _ in range(limits.SINCE + 8):
        ada.commit()
        ada.push()
    refs = ada.bucket().refs()
    assert objects.held["oxy/newest"][0] == b"%020d" % (limits.SINCE + 1)
    for data in (b"%020d" % 1, b"%020d" % 10**6, b"x", b"x" * 20, b"\xff" * 20):
        objects.replace("oxy/newest", data)
        assert ada.bucket().refs() == refs
    objects.delete("oxy/newest")
    assert ada.bucket().refs() == refs


def test_large_and_many_blobs_come_whole(objects: Shelved) -> None:
    ada, grace = Desk(objects, b"a"), Desk(objects, b"g")
    ada.commit(b"\0" + b"x" * (3 << 20))
    files = {b"f%d" % at: File(b"\0%d" % at * 100_000) for at in range(12)}
    done = ada.scribe.commit(ada.state, files)
    ada.state = Name((done.number,))
    ada.commit()
    assert ada.push().came == 3
    assert grace.pull() == 3


def test_of_many_bookmarks_one_is_brought_alone(objects: Shelved) -> None:
    desks = [Desk(objects, b"%d" % at) for at in range(5)]
    for desk in desks:
        desk.commit()
        desk.push(b"b" + desk.name)
    reader = Desk(objects, b"x")
    assert brought(reader.bucket(), reader.repository, b"b3") == 1


def test_nothing_is_pushed_from_nowhere(objects: Shelved) -> None:
    with pytest.raises(OnlyReadError):
        Bucket(objects, None).take((), ())


def test_a_name_is_checked_before_it_is_there(objects: Shelved) -> None:
    ada = Desk(objects, b"a")
    ada.commit()
    with pytest.raises(RefNameError, match="begins with -"):
        ada.push(b"-x")
    assert ada.bucket().refs() == ()


def test_a_push_that_took_a_day_is_begun_anew(
    objects: Shelved, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = Desk(objects, b"a")
    ada.commit()
    late = ada.bucket()
    late.refs()
    begun = time.time()
    monkeypatch.setattr(time, "time", lambda: begun + limits.UPLOAD + 1)
    with pytest.raises(SlowUploadError):
        pushed(late, ada.repository, wish(ada.repository, b"main", ada.state, None))
    assert ada.bucket().refs() == ()


@pytest.mark.parametrize("kind", ["load", "leaf", "entry"])
def test_what_was_altered_is_refused(objects: Shelved, kind: str) -> None:
    ada = Desk(objects, b"a")
    ada.commit()
    ada.push()
    at = {"load": 0, "leaf": 1, "entry": 2}[kind]
    name = list(objects.held)[at]
    data = objects.held[name][0]
    for change in (data[:-1] + b"\0", data + b"\0"):
        objects.held[name] = (change, 0.0)
        grace = Desk(objects, b"g")
        with pytest.raises(RefusedTransferError):
            grace.pull()
        assert grace.repository.store.count(CHANGE) == 0
    objects.held[name] = (data[:-1], 0.0)
    with pytest.raises((RefusedTransferError, LostError)):
        Desk(objects, b"g").pull()
    del objects.held[name]
    if kind != "entry":
        with pytest.raises(LostError, match="is not there"):
            Desk(objects, b"g").pull()


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["push", "pull", "merge"]))))
def test_whoever_does_what_when_all_that_is_acknowledged_is_there(
    doings: list[tuple[int, str]],
) -> None:
    objects = Shelved()
    desks = [Desk(objects, b"%c" % letter) for letter in b"abc"]
    acknowledged: set[bytes] = set()
    for who, what in doings:
        desk = desks[who]
        if what == "pull":
            desk.pull()
            continue
        if what == "merge" and desk.bucket().refs():
            desk.merge()
        desk.commit()
        if not desk.push().refused:
            numbers = desk.repository.states.members(desk.state)
            acknowledged.update(desk.repository.store.ids_of(CHANGE, numbers))
    reader = Desk(objects, b"x")
    assert reader.pull() == len(acknowledged)
    assert acknowledged == set(
        reader.repository.store.ids_of(CHANGE, range(1, len(acknowledged) + 1))
    )


def test_a_signature_that_is_made_later_comes_too(objects: Shelved) -> None:
    ada, grace = Desk(objects, b"a"), Desk(objects, b"g")
    ada.commit()
    ada.push()
    assert grace.pull() == 1
    store = ada.repository.store
    (number,) = ada.state.heads
    change = ChangeId(store.id_of(CHANGE, number))
    with writing(ada.repository, STAMP) as work:
        add(work.transaction, Signature(change, ARMOR))
    bucket = ada.bucket()
    bucket.refs()
    parts = Stored(ada.repository).missing([change], [change], bucket.holds)
    assert bucket.take([wish(ada.repository, b"main", ada.state, None)], parts) == Taken(0, ())
    late = grace.bucket()
    assert dict(late.refs()[0].extra)[SIGNED_FIELD] == mark(store, [number])
    taken(grace.repository, late.lacking([change], grace.repository.store.numbers_of))
    (own,) = grace.repository.store.numbers_of(CHANGE, [change]).values()
    assert mark(grace.repository.store, [own]) == mark(store, [number])
    ada.commit()
    ada.push()
    collect(objects, 0.0, Silent())
    reader = Desk(objects, b"r")
    assert reader.pull() == 2
    (own,) = reader.repository.store.numbers_of(CHANGE, [change]).values()
    assert mark(reader.repository.store, [own])


def test_blobs_of_another_bookmark_are_never_in_the_way(objects: Shelved) -> None:
    ada = Desk(objects, b"a")
    ada.commit()
    first = ada.state
    files = {b"f%d" % at: File(b"\0%d" % at * 20_000) for at in range(90)}
    ada.state = Name((ada.scribe.commit(ada.state, files).number,))
    ada.commit(b"\0" + b"y" * (2 << 20))
    repository = ada.repository
    wishes = (wish(repository, b"one", first, None), wish(repository, b"two", ada.state, None))
    assert pushed(ada.bucket(), repository, *wishes).came == 3
    reader = Desk(objects, b"r")
    # What lies in one load with it may come too.
    assert 1 <= brought(reader.bucket(), reader.repository, b"one") < 3
    assert brought(reader.bucket(), reader.repository, b"two") > 0
    assert reader.repository.store.count(CHANGE) == 3
