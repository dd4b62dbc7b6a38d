"""What a push would do is what it does (spec: sync, SY62)."""

from collections.abc import Sequence

import pytest

from oxy.actions.foreseeing import foreseen
from oxy.model.digest import ChangeId
from oxy.repo.refs import BOOKMARK, HERE, TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import writing
from oxy.store.protocol import CHANGE
from oxy.sync.bundle import offered_of
from oxy.sync.endpoint import Stored
from oxy.sync.rounds import common
from oxy.sync.wish import State, Wish
from tests.builders.exchange import STAMP, Open, taken
from tests.builders.scribe import File, Scribe


def state(repository: Repository, *heads: int) -> State:
    offered = offered_of(repository, BOOKMARK, b"", Name(heads))
    return State(offered.heads, offered.absent)


def pair() -> tuple[Repository, Open]:
    """Let one side have two changes on what both have, and the other one of its own."""
    own, other = Repository.in_memory(), Repository.in_memory()
    scribe = Scribe(own)
    base = scribe.commit(Name(), {b"f": File(b"1\n")}).number
    first = ChangeId(own.store.id_of(CHANGE, base))
    taken(other, Stored(own).missing([first], [], lambda _: ()))
    left = scribe.commit(Name((base,)), {b"f": File(b"2\n")}).number
    scribe.commit(Name((left,)), {b"f": File(b"3\n")})
    theirs = Scribe(other).commit(Name((1,)), {b"g": File(b"1\n")}).number
    with writing(other, STAMP) as work:
        work.move(Ref(BOOKMARK, b"old"), Target(Name((1,))))
        work.move(Ref(BOOKMARK, b"gone"), Target(Name((1,))))
        work.move(Ref(BOOKMARK, b"ahead"), Target(Name((theirs,))))
        work.move(Ref(TAG, b"v1"), Target(Name((1,))))
        work.move(HERE, Target(Name((1,)), (), b"old"))
    return own, Open(other)


def wishes(own: Repository) -> dict[str, Wish]:
    newest, base = state(own, 3), state(own, 1)
    return {
        "forward": Wish(BOOKMARK, b"old", newest),
        "new": Wish(BOOKMARK, b"new", newest),
        "back": Wish(BOOKMARK, b"gone", State(()), base),
        "unseen": Wish(BOOKMARK, b"ahead", newest),
        "seen otherwise": Wish(BOOKMARK, b"ahead", newest, base),
        "tag": Wish(TAG, b"v2", newest),
        "other tag": Wish(TAG, b"v1", newest),
        "delete": Wish(BOOKMARK, b"gone", None, base),
        "delete unseen": Wish(BOOKMARK, b"gone", None, newest),
        "delete used": Wish(BOOKMARK, b"old", None, base),
        "delete none": Wish(BOOKMARK, b"none", None, base),
    }


@pytest.mark.parametrize(
    "names",
    [[name] for name in wishes(pair()[0])] + [["forward", "tag"], ["forward", "unseen"]],
)
def test_what_is_foreseen_is_what_becomes_of_it(names: Sequence[str]) -> None:
    own, other = pair()
    asked = sorted((wishes(own)[name] for name in names), key=lambda each: each[:2])
    before = foreseen(own, other, asked)
    told = [change for each in other.refs() for change in each.heads]
    goals = [change for each in asked if each.goal for part in each.goal for change in part]
    parts = Stored(own).missing(goals, common(own, other, told), lambda _: ())
    assert other.take(asked, parts) == before
