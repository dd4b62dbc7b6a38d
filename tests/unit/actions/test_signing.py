import os
from pathlib import Path

import pytest

from oxy.actions.signing import (
    FIELD,
    GOOD,
    UNKNOWN,
    UNSIGNED,
    Judged,
    SignedTagError,
    Verdict,
    changes_meant,
    judged,
    judged_tag,
    sign,
    sign_tag,
)
from oxy.actions.sshkeys import KeygenError
from oxy.actions.tags import NoTagError
from oxy.repo.refs import TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import OPERATION, SIGNATURE
from tests.builders.history import History
from tests.builders.signer import Signer, alone

STAMP = Stamp(1, 0, b"ada", b"sign")
V1 = Ref(TAG, b"v1")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    alone(tmp_path, monkeypatch)
    return tmp_path


@pytest.fixture
def repository() -> Repository:
    repository = Repository.in_memory()
    history = History(repository)
    first = history.commit({b"a": b"1\n"})
    history.commit({b"a": b"2\n"}, first)
    return repository


def verdicts(repository: Repository, home: Path) -> list[Judged]:
    return list(judged(repository, [1, 2], os.fsencode(home / "allowed")))


def test_who_signed_is_told_of_each_change(repository: Repository, home: Path) -> None:
    ada, bob = Signer(home), Signer(home, "bob@example.org")
    ada.allow(home / "allowed")
    before = repository.store.count(OPERATION)
    assert len(sign(repository, [2], str(ada.key), STAMP)) == 1
    assert sign(repository, [2], str(ada.key), STAMP) == []
    assert len(sign(repository, [2], str(bob.key), STAMP)) == 1
    assert repository.store.count(OPERATION) == before
    first, second = verdicts(repository, home)
    assert first.verdicts == (Verdict(UNSIGNED),)
    assert not first.is_good
    assert [each.word for each in second.verdicts] == [GOOD, UNKNOWN]
    assert second.is_good
    assert second.signers == {"ada@example.org"}


def test_nothing_is_stored_where_one_cannot_be_signed(
    repository: Repository, home: Path
) -> None:
    with pytest.raises(KeygenError):
        sign(repository, [1, 2], str(home / "none"), STAMP)
    assert repository.store.count(SIGNATURE) == 0


def test_of_a_state_the_newest_changes_are_meant_and_of_a_set_all(
    repository: Repository,
) -> None:
    assert changes_meant(repository, [b"main"]) == [2]
    assert changes_meant(repository, [b"main | main~1"]) == [2]
    assert changes_meant(repository, [b"main - main~2"]) == [1, 2]


def test_a_tag_is_signed_with_all_that_it_holds(repository: Repository, home: Path) -> None:
    ada = Signer(home)
    allowed = os.fsencode(ada.allow(home / "allowed"))
    with writing(repository, STAMP) as work:
        work.move(V1, Target(Name((2,)), ((b"oxy:message", b"one"),)))
    held = repository.refs.get(V1) or Target(Name())
    assert judged_tag(repository, b"v1", held, allowed) == Verdict(UNSIGNED)
    sign_tag(repository, b"v1", str(ada.key), STAMP)
    held = repository.refs.get(V1) or Target(Name())
    assert judged_tag(repository, b"v1", held, allowed).word == GOOD
    assert judged_tag(repository, b"v2", held, allowed).word == "bad"
    moved = held._replace(state=Name((1,)))
    assert judged_tag(repository, b"v1", moved, allowed).word == "bad"
    other = held._replace(extra=((b"oxy:message", b"two"), (FIELD, dict(held.extra)[FIELD])))
    assert judged_tag(repository, b"v1", other, allowed).word == "bad"
    with pytest.raises(SignedTagError):
        sign_tag(repository, b"v1", str(ada.key), STAMP)
    with pytest.raises(NoTagError):
        sign_tag(repository, b"v9", str(ada.key), STAMP)
