import os
from pathlib import Path

import pytest

from oxy.actions.clone import NotEmptyError
from oxy.actions.salvage import Salvaged, salvage
from oxy.errors import StateError
from oxy.model.operation import KIND_BINARY
from oxy.progress import Unwatched
from oxy.repo.fsck import fsck
from oxy.repo.refs import BOOKMARK, TAG, Ref, Target
from oxy.repo.repository import Repository, opened
from oxy.repo.states import Name
from oxy.repo.writing import writing
from oxy.store.file import FileStore
from oxy.store.protocol import BLOB, CHANGE
from tests.builders.history import History, Made

BIG = bytes(range(256)) * 12_000


def story(root: Path) -> list[bytes]:
    """Record three changes; return their ids."""
    root.mkdir()
    repository = Repository.create(bytes(root))
    history = History(repository)
    first = history.commit({b"d/f": b"a\nb\n", b"doc": b"line\n" * 2000})
    second = history.commit({b"pixels": Made(BIG, kind=KIND_BINARY)}, first)
    third = history.commit({b"d/f": b"a\nB\n", b"doc": None}, second)
    with writing(repository, history.stamp(b"tag")) as work:
        work.move(Ref(TAG, b"1.0"), Target(Name((first,))))
    ids = [history.id(number) for number in (first, second, third)]
    repository.close()
    return ids


def place(root: Path, kind: int, name: bytes | None) -> tuple[int, int]:
    """Return where an object lies: segment and offset; of the first where no id is given."""
    with opened(bytes(root)) as repository:
        store = repository.store
        assert isinstance(store, FileStore)
        number = 1 if name is None else store.number_of(kind, name) or 0
        found = next(iter(store.located_many(kind, [number])))[2]
        return found.segment, found.offset


def flip(root: Path, offset: int) -> None:
    path = root / ".oxy/segments/000001.oxs"
    data = bytearray(path.read_bytes())
    data[offset] ^= 1
    path.write_bytes(data)


def salvaged(root: Path) -> Salvaged:
    return salvage(bytes(root), bytes(root.parent / "new"), Unwatched())


def files(root: bytes) -> dict[str, bytes]:
    top = Path(os.fsdecode(root))
    return {
        str(path.relative_to(top)): path.read_bytes()
        for path in sorted(top.rglob("*"))
        if path.is_file() and ".oxy" not in path.parts
    }


def proven(root: bytes) -> None:
    with opened(root) as repository:
        assert list(fsck(repository, Unwatched())) == []


def test_of_a_sound_repository_everything_comes(tmp_path: Path) -> None:
    ids = story(tmp_path / "old")
    done = salvaged(tmp_path / "old")
    assert done == Salvaged(bytes(tmp_path / "new"), 3, 2, 0, ())
    assert files(done.root) == {"d/f": b"a\nB\n", "pixels": BIG}
    proven(done.root)
    with opened(done.root) as repository:
        held = repository.refs.get(Ref(BOOKMARK, b"main"))
        assert held is not None
        assert list(repository.store.ids_of(CHANGE, held.state.heads)) == [ids[2]]
        assert sorted(os.listdir(repository.control)) == sorted(
            os.listdir(done.root + b"/.oxy")
        )
        assert b"survey" not in os.listdir(repository.control)


def test_what_needs_a_lost_blob_comes_as_files(tmp_path: Path) -> None:
    root = tmp_path / "old"
    ids = story(root)
    with opened(bytes(root)) as repository:
        blob = next(
            repository.store.id_of(BLOB, number)
            for number in (1, 2)
            if repository.store.size(BLOB, number) == len(BIG)
        )
    flip(root, place(root, BLOB, blob)[1] + 1000)
    done = salvaged(root)
    whats = [finding.what for finding in done.lost if finding.area == "change"]
    assert whats == [
        f"change {ids[1].hex()} needs blob {blob.hex()}, which is lost",
        f"change {ids[2].hex()} needs change {ids[1].hex()}, which is lost",
    ]
    assert (done.changes, done.names, done.files) == (1, 2, 1)
    assert [finding.path for finding in done.lost if finding.area == "file"] == [b"pixels"]
    assert files(done.root) == {"d/f": b"a\nB\n"}
    proven(done.root)
    with opened(done.root) as repository:
        tag = repository.refs.get(Ref(TAG, b"1.0"))
        assert tag is not None
        assert list(repository.store.ids_of(CHANGE, tag.state.heads)) == [ids[0]]


def test_a_lost_index_is_not_needed(tmp_path: Path) -> None:
    root = tmp_path / "old"
    story(root)
    (root / ".oxy/index.db").unlink()
    done = salvaged(root)
    assert (done.changes, done.names, done.lost) == (3, 2, ())
    assert files(done.root) == {"d/f": b"a\nB\n", "pixels": BIG}


def test_nothing_is_written_to_the_damaged_repository(tmp_path: Path) -> None:
    root = tmp_path / "old"
    story(root)
    flip(root, place(root, CHANGE, None)[1] + 50)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    salvaged(root)
    assert before == {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_where_every_change_is_lost_the_names_are_told(tmp_path: Path) -> None:
    root = tmp_path / "old"
    ids = story(root)
    flip(root, place(root, CHANGE, ids[0])[1] + 50)
    done = salvaged(root)
    assert done.changes == 0
    named = [finding.change for finding in done.lost if finding.area == "change"]
    assert set(named) == set(ids)
    proven(done.root)


def test_a_directory_that_holds_something_is_refused(tmp_path: Path) -> None:
    story(tmp_path / "old")
    (tmp_path / "new").mkdir()
    (tmp_path / "new/file").write_bytes(b"mine")
    with pytest.raises(NotEmptyError):
        salvaged(tmp_path / "old")
    assert files(bytes(tmp_path / "new")) == {"file": b"mine"}


def test_what_was_made_is_removed_where_there_is_nothing_to_salvage(tmp_path: Path) -> None:
    with pytest.raises(StateError):
        salvaged(tmp_path / "old")
    assert not (tmp_path / "new").exists()
