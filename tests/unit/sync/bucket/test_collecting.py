"""What a bucket drops, joins and deletes, and what not (spec: sync, SY25, SY95, SY96)."""

import pytest

from oxy.repo.states import Name
from oxy.sync import limits
from oxy.sync.bucket.bucket import Bucket, CollectedError
from oxy.sync.bucket.collecting import Collected, PushedMeanwhileError, collect
from oxy.sync.bucket.sweeping import Swept
from oxy.sync.errors import LostError
from tests.builders.bucket import Shelved, brought, pushed, wish
from tests.builders.exchange import Silent
from tests.builders.team import Desk

GRACE = float(limits.GRACE)


@pytest.fixture
def objects() -> Shelved:
    return Shelved()


def gc(objects: Shelved, grace: float = GRACE, *, dry_run: bool = False) -> Collected:
    return collect(objects, grace, Silent(), dry_run=dry_run)


def rewound(objects: Shelved) -> tuple[Desk, Name]:
    """Push two changes, and let the name go back; return who did, and to where."""
    ada = Desk(objects, b"a")
    ada.commit()
    ada.push()
    first = ada.state
    ada.commit()
    ada.push()
    seen, ada.state = ada.state, first
    assert not ada.push(seen=seen).refused
    return ada, first


def test_what_no_name_reaches_is_dropped_and_later_deleted(objects: Shelved) -> None:
    rewound(objects)
    reader = Desk(objects, b"r")
    assert gc(objects, dry_run=True).dropped == 1
    done = gc(objects)
    assert (done.dropped, done.swept.objects) == (1, 0)
    assert reader.pull() == 1
    there = len(objects.held)
    objects.now += GRACE + 1
    assert gc(objects, dry_run=True).swept.objects > 0
    assert len(objects.held) == there
    done = gc(objects)
    assert done.swept.objects == there - len(objects.held)
    # A load, its leaf, the snapshot, the entry with that and the hint.
    assert len(objects.held) == 5
    assert Desk(objects, b"s").pull() == 1
    assert gc(objects) == Collected(0, 0, Swept(0, 0))


def test_who_reads_slowly_loses_nothing_within_the_grace(objects: Shelved) -> None:
    ada = Desk(objects, b"a")
    ada.commit()
    ada.push()
    late = Bucket(objects, None)
    late.refs()
    objects.now += 100 * GRACE
    ada.commit()
    ada.push()
    fresh, ada.state = ada.state, Name()
    assert not ada.push(seen=fresh).refused
    for _ in range(3):
        gc(objects)
        objects.now += GRACE / 4
    reader = Desk(objects, b"r")
    assert brought(late, reader.repository) == 1


def test_what_a_killed_push_left_goes_and_what_one_brings_stays(objects: Shelved) -> None:
    ada = Desk(objects, b"a")
    ada.commit()
    ada.push()

    class KilledError(Exception):
        pass

    def kill(what: str, name: str) -> None:
        if what == "create" and name.startswith("oxy/log"):
            raise KilledError

    ada.commit()
    there = set(objects.held)
    objects.before = kill
    with pytest.raises(KilledError):
        ada.push()
    objects.before = lambda _what, _name: None
    left = set(objects.held) - there
    assert len(left) == 2
    gc(objects)
    assert left <= set(objects.held)
    objects.now += GRACE + 1
    gc(objects)
    assert not left & set(objects.held)
    assert ada.push().came == 1
    assert Desk(objects, b"r").pull() == 2


def test_what_was_dropped_meanwhile_is_never_stood_on(objects: Shelved) -> None:
    ada, _ = rewound(objects)
    ada.commit()
    late = ada.bucket()
    late.refs()
    gc(objects)
    with pytest.raises(CollectedError):
        pushed(late, ada.repository, wish(ada.repository, b"main", ada.state, None))
    assert ada.push().came == 1
    assert Desk(objects, b"r").pull() == 2


def test_many_small_objects_become_one(objects: Shelved) -> None:
    ada = Desk(objects, b"a")
    for _ in range(40):
        ada.commit()
        ada.push()
    assert gc(objects).joined == 40
    objects.asked.clear()
    assert Desk(objects, b"r").pull() == 40
    # Reading, a leaf, and a load.
    assert len(objects.asked) == 4 + 1 + 1
    assert gc(objects).joined == 0
    ada.commit()
    assert ada.push().came == 1
    assert Desk(objects, b"r").pull() == 41


def test_blobs_stay_with_their_change(objects: Shelved) -> None:
    ada = Desk(objects, b"a")
    for at in range(4):
        ada.commit(b"\0%d" % at * 300_000)
        ada.commit()
        ada.push()
    gc(objects)
    objects.now += GRACE + 1
    gc(objects)
    assert Desk(objects, b"r").pull() == 8


def test_twins_that_two_pushed_at_once_are_joined(objects: Shelved) -> None:
    ada, grace = Desk(objects, b"a"), Desk(objects, b"g")
    ada.commit()
    late = ada.bucket()
    late.refs()
    ada.push(b"one")
    taken = pushed(late, ada.repository, wish(ada.repository, b"two", ada.state, None))
    assert taken.came == 1
    ada.commit()
    ada.push(b"two")
    assert grace.pull() == 2
    gc(objects)
    assert Desk(objects, b"r").pull() == 2


def test_who_pushes_goes_before(objects: Shelved) -> None:
    ada, first = rewound(objects)
    grace = Desk(objects, b"g")
    grace.merge()
    at = 0

    def push(what: str, name: str) -> None:
        nonlocal at
        if what == "create" and name.startswith("oxy/log") and at < 9:
            at, objects.before = at + 1, lambda _what, _name: None
            grace.commit()
            assert grace.push(b"g%d" % at).came == 1
            objects.before = push

    objects.before = push
    with pytest.raises(PushedMeanwhileError):
        gc(objects)
    objects.before = lambda _what, _name: None
    assert gc(objects).dropped == 1
    assert Desk(objects, b"r").pull() == 9
    assert first == ada.state


def test_nothing_is_dropped_where_something_is_missing(objects: Shelved) -> None:
    ada = Desk(objects, b"a")
    ada.commit()
    ada.push()
    ada.commit()
    ada.push()
    entry = objects.held["oxy/log/00000000000000000001"]
    objects.now += 2 * GRACE
    leaf = list(objects.held)[4]
    objects.held[leaf] = (b"", 0.0)
    with pytest.raises(LostError, match="ended"):
        gc(objects)
    assert objects.held["oxy/log/00000000000000000001"] == entry


def test_there_is_nothing_to_do_in_an_empty_bucket(objects: Shelved) -> None:
    assert gc(objects) == Collected(0, 0, Swept(0, 0))
    assert not objects.held


def test_a_long_history_is_collected_whole(objects: Shelved) -> None:
    ada, grace = Desk(objects, b"a"), Desk(objects, b"g")
    for at in range(3 * limits.SINCE):
        ada.commit()
        ada.push(b"b%d" % (at % 3))
        objects.now += GRACE / 10
        if at % 20 == 19:
            gc(objects)
    assert grace.pull() == 3 * limits.SINCE
    # Of the log, what was current within two days, and what shares a base with that.
    logged = sum(name.startswith("oxy/log") for name in objects.held)
    assert logged <= limits.SINCE + 20
