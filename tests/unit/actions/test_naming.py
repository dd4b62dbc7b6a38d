import pytest

from oxy.actions.naming import (
    AmbiguousError,
    SeveralHeadsError,
    UnknownStateError,
    resolve,
    resolve_change,
)
from oxy.model.digest import short
from oxy.repo.refs import BOOKMARK, HERE, TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import GIT, key
from oxy.repo.writing import writing
from tests.builders.history import History


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def put(history: History, ref: Ref, *heads: int) -> None:
    with writing(history.repository, history.stamp()) as work:
        work.move(ref, Target(Name(heads)))


def many(history: History) -> dict[str, list[int]]:
    """Record until two ids begin with the same digit; return the changes by first digit."""
    found: dict[str, list[int]] = {}
    for n in range(17):
        change = history.commit({b"f%d" % n: b"x\n"})
        found.setdefault(history.id(change).hex()[0], []).append(change)
    return found


def test_a_bookmark_comes_before_a_tag_of_the_same_name(history: History) -> None:
    first, second = history.commit({b"f": b"1\n"}), history.commit({b"g": b"1\n"})
    put(history, Ref(TAG, b"x"), first)
    assert resolve(history.repository, b"x").ref == Ref(TAG, b"x")
    put(history, Ref(BOOKMARK, b"x"), second)
    named = resolve(history.repository, b"x")
    assert list(named.members(history.repository)) == [second]
    assert named == (b"x", Ref(BOOKMARK, b"x"), Name((second,)))


def test_a_name_comes_before_a_prefix(history: History) -> None:
    first, second = history.commit({b"f": b"1\n"}), history.commit({b"g": b"1\n"})
    prefix = history.id(first).hex()[:8].encode()
    assert resolve(history.repository, prefix).state == Name((first,))
    put(history, Ref(TAG, prefix), second)
    assert resolve(history.repository, prefix).state == Name((second,))


def test_a_prefix_may_be_in_capitals_and_whole(history: History) -> None:
    change = history.commit({b"f": b"1\n"})
    digits = history.id(change).hex().upper().encode()
    assert resolve(history.repository, digits[:4]).state == Name((change,))
    assert resolve(history.repository, digits).state == Name((change,))


@pytest.mark.parametrize("called", [b"abc", b"", b"git:", b"ffff" * 17, b"\xff", b"feed"])
def test_what_nothing_is_called_is_unknown(history: History, called: bytes) -> None:
    history.commit({b"f": b"1\n"})
    with pytest.raises(UnknownStateError):
        resolve(history.repository, called)


def test_names_that_look_alike_are_told(history: History) -> None:
    change = history.commit({b"f": b"1\n"})
    put(history, Ref(TAG, b"release-1"), change)
    with pytest.raises(UnknownStateError, match="'relase-1'") as caught:
        resolve(history.repository, b"relase-1")
    assert caught.value.near == ("release-1",)


def test_the_working_copy_is_at_its_base(history: History) -> None:
    assert resolve(history.repository, b"@") == (b"@", HERE, Name())
    change = history.commit({b"f": b"1\n"})
    assert resolve(history.repository, b"@") == (b"@", HERE, Name((change,)))


def test_a_git_id_means_the_change_that_was_made_of_it(history: History) -> None:
    first, second = history.commit({b"f": b"1\n"}), history.commit({b"g": b"1\n"})
    with history.repository.store.transaction() as transaction:
        transaction.put(GIT, bytes.fromhex("abcd1" + "0" * 35), key(first))
        transaction.put(GIT, bytes.fromhex("abcd2" + "0" * 35), key(second))
    assert resolve_change(history.repository, b"git:ABCD1") == first
    assert resolve_change(history.repository, b"git:abcd2" + b"0" * 35) == second
    with pytest.raises(AmbiguousError) as caught:
        resolve(history.repository, b"git:abcd")
    assert caught.value.candidates == ("abcd10000000", "abcd20000000")


def test_a_prefix_of_several_changes_is_refused_with_them(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Ids that share four digits take 10,000 changes to find; one digit takes 17.
    monkeypatch.setattr("oxy.actions.naming._SHORTEST", 1)
    digit, changes = max(many(history).items(), key=lambda item: len(item[1]))
    with pytest.raises(AmbiguousError) as caught:
        resolve(history.repository, digit.encode())
    wanted = sorted(history.id(change).hex()[:9] for change in changes)
    assert list(caught.value.candidates) == wanted[:6]


def test_a_name_of_one_newest_change_means_that_change(history: History) -> None:
    change = history.commit({b"f": b"1\n"})
    assert resolve_change(history.repository, b"main") == change


def test_a_state_with_several_newest_changes_is_no_single_one(history: History) -> None:
    first, second = history.commit({b"f": b"1\n"}), history.commit({b"g": b"1\n"})
    put(history, Ref(BOOKMARK, b"both"), first, second)
    with pytest.raises(SeveralHeadsError) as caught:
        resolve_change(history.repository, b"both")
    assert caught.value.heads == tuple(sorted(short(history.id(c)) for c in (first, second)))


def test_the_empty_state_has_no_newest_change(history: History) -> None:
    with pytest.raises(SeveralHeadsError, match="has no changes yet"):
        resolve_change(history.repository, b"@")
