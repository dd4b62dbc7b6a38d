from pathlib import Path

import pytest

from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.repository import Repository, RepositoryExistsError, identify, opened
from oxy.repo.states import Name
from oxy.store.protocol import BLOB, CHANGE, OPERATION
from tests.builders.scribe import File, Scribe

MAIN = Ref(BOOKMARK, b"main")


def test_a_new_repository_is_empty_and_ignored_by_git(tmp_path: Path) -> None:
    Repository.create(bytes(tmp_path)).close()
    with opened(bytes(tmp_path)) as repository:
        assert repository.store.count(CHANGE) == 0
        assert repository.refs.names(BOOKMARK) == []
        assert repository.states.members(Name()) == repository.states.members(Name())
    assert (tmp_path / ".oxy" / ".gitignore").read_bytes() == b"*\n"


def test_there_is_one_repository_in_a_place(tmp_path: Path) -> None:
    Repository.create(bytes(tmp_path)).close()
    with pytest.raises(RepositoryExistsError) as caught:
        Repository.create(bytes(tmp_path))
    assert caught.value.path == bytes(tmp_path)


def test_a_repository_is_found_from_below_and_holds_what_was_recorded(tmp_path: Path) -> None:
    repository = Repository.create(bytes(tmp_path), "fast")
    recording = Scribe(repository).commit(Name(), {b"f": File(b"a\n")})
    repository.close()
    (tmp_path / "a" / "b").mkdir(parents=True)
    with opened(bytes(tmp_path / "a" / "b")) as again:
        assert again.root == bytes(tmp_path)
        assert again.refs.get(MAIN) == Target(Name((1,)))
        assert again.change(1) == recording.change
        assert again.header(1) == recording.change.header
        assert list(again.headers([1, 1])) == [(1, recording.change.header)] * 2


def test_every_object_is_proven_by_its_id() -> None:
    scribe = Scribe(Repository.in_memory())
    scribe.commit(Name(), {b"f": File(b"a\n" * 3000)})
    store = scribe.repository.store
    for kind in (CHANGE, BLOB, OPERATION):
        assert identify(kind, store.read(kind, 1)) == store.id_of(kind, 1)
        assert identify(kind, store.read(kind, 1) + b"\0") != store.id_of(kind, 1)
    assert identify(99, b"") is None
