import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from oxy.actions.switch import switch
from oxy.model.operation import KIND_BINARY, KIND_SYMLINK
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.states import Name
from oxy.repo.tree import Directory, Entry
from oxy.repo.writing import writing
from oxy.worktree.checkout import RefusedPathError, WouldOverwriteError
from oxy.worktree.filling import BATCH, occupied
from oxy.worktree.row import UNKNOWN
from oxy.worktree.writer import TreeWriter, UnwritableError
from tests.builders.scribe import STAMP, File, Scribe
from tests.builders.workshop import Workshop

FILES = {
    **{b"many/%04d" % at: File(b"%d\n" % at, mode=at % 2) for at in range(BATCH + 5)},
    b"a/b/c/deep": File(b"deep"),
    b"a/b/large": File(b"x\0" * (1 << 20), KIND_BINARY),
    b"a/link": File(b"b/c/deep", KIND_SYMLINK),
    b"empty": File(b""),
}


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """Return a working copy of nothing, with a bookmark `full` that holds files."""
    shop = Workshop(tmp_path)
    with shop.repository() as repository:
        made = Scribe(repository).commit(Name(), FILES)
        with writing(repository, STAMP) as work:
            work.move(Ref(BOOKMARK, b"full"), Target(Name((made.number,))))
    return shop


def content(root: Path) -> dict[bytes, File]:
    found = {}
    for path in root.rglob("*"):
        name = os.fsencode(path.relative_to(root))
        if path.is_dir() or name.startswith(b".oxy"):
            continue
        if path.is_symlink():
            found[name] = File(os.fsencode(path.readlink()), KIND_SYMLINK)
            continue
        mode = int(bool(path.stat().st_mode & 0o100))
        found[name] = FILES[name]._replace(data=path.read_bytes(), mode=mode)
    return found


def test_every_file_is_written_and_then_nothing_differs(shop: Workshop) -> None:
    shop.switch("full")
    assert content(shop.root) == FILES
    assert shop.differs() == []
    with shop.copy() as copy:
        row = copy.manifest.row(b"many")
        assert row is not None
        assert len(list(row.entries())) == BATCH + 5


def test_a_file_that_is_there_already_is_left_as_it_is(shop: Workshop) -> None:
    shop.write("a/b/c/deep", "deep")
    before = (shop.root / "a/b/c/deep").stat()
    shop.switch("full")
    assert os.path.samestat(before, (shop.root / "a/b/c/deep").stat())
    assert content(shop.root) == FILES
    assert shop.differs() == []


def test_what_nobody_tracks_and_is_not_in_the_way_stays(shop: Workshop) -> None:
    shop.write("a/b/other", "other")
    shop.switch("full")
    assert shop.differs() == [(b"a/b/other", "added")]


@pytest.mark.parametrize(
    "path", ["many/0007", "a", "a/b/c", "a/link", "empty/within"], ids=lambda path: path
)
def test_nothing_is_written_where_a_file_is_in_the_way(shop: Workshop, path: str) -> None:
    shop.write(path, "mine")
    with pytest.raises(WouldOverwriteError) as caught:
        shop.switch("full")
    assert caught.value.paths == (path.encode(),)
    there = [each for each in shop.root.rglob("*") if each.is_file()]
    assert [each for each in there if ".oxy" not in each.parts] == [shop.root / path]


def test_no_symlink_is_followed_out_of_the_tree(
    shop: Workshop, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (shop.root / "many").symlink_to(outside)
    with pytest.raises(WouldOverwriteError):
        shop.switch("full")
    assert list(outside.iterdir()) == []


def test_a_path_that_may_not_be_written_is_refused_before_the_first(shop: Workshop) -> None:
    entry = Entry(1, 1, 0, bytes(16))
    tree = Directory({b"fine": entry, b"d": Directory({b".GIT": entry})})
    with shop.copy() as copy, pytest.raises(RefusedPathError, match=r"d/\.GIT"):
        list(occupied(copy.fd, tree))


def test_an_interrupted_first_switch_is_ended_by_another(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    class StopError(Exception):
        pass

    def stop(*_: object) -> None:
        raise StopError

    with monkeypatch.context() as patched:
        patched.setattr("oxy.worktree.filling._Filler._turn_to", stop)
        with shop.copy() as copy, pytest.raises(StopError):
            switch(copy, b"full", None)
    assert (shop.root / "empty").exists()
    shop.switch("full")
    assert content(shop.root) == FILES
    assert shop.differs() == []


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oxy.worktree.filling.PAYS", 1)
    monkeypatch.setattr("oxy.worktree.filling.processors", lambda: 3)


@pytest.mark.usefixtures("shared")
def test_several_processes_write_what_one_writes(shop: Workshop) -> None:
    shop.switch("full")
    assert content(shop.root) == FILES
    assert shop.differs() == []
    with shop.copy() as copy:
        assert len(list(copy.manifest.directories())) == len(
            {b"many", b"a/b/c", b"a/b", b"a", b""}
        )
        row = copy.manifest.row(b"many")
        assert row is not None
        assert len(list(row.entries())) == BATCH + 5
        assert all(entry.record != UNKNOWN for entry in row.entries())


@pytest.mark.usefixtures("shared")
def test_where_another_process_fails_this_one_goes_on(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent, write = os.getpid(), TreeWriter.write

    def fails_elsewhere(
        writer: TreeWriter,
        path: bytes,
        chunks: Iterable[bytes],
        *,
        executable: bool,
        over: bytes | None,
        is_only: bool = False,
    ) -> bytes:
        assert not is_only
        if os.getpid() != parent and path in {b"many/0300", b"many/0500"}:
            raise UnwritableError(path, OSError(28, "No space left on device"))
        return write(writer, path, chunks, executable=executable, over=over)

    monkeypatch.setattr(TreeWriter, "write", fails_elsewhere)
    shop.switch("full")
    assert content(shop.root) == FILES
    assert shop.differs() == []


def test_a_file_that_was_left_half_written_is_no_edit(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("oxy.worktree.filling._Filler.finished", stop)
        with shop.copy() as copy, pytest.raises(KeyboardInterrupt):
            switch(copy, b"full", None)
    (shop.root / "a/b/large").write_bytes(b"x\0x")
    shop.write("many/0007", "mine")
    with pytest.raises(WouldOverwriteError) as caught:
        shop.switch("full")
    assert caught.value.paths == (b"many/0007",)
    shop.write("many/0007", "")
    (shop.root / "many/0007").chmod(0o755)
    shop.switch("full")
    assert content(shop.root) == FILES
    assert shop.differs() == []


def test_a_beginning_of_a_file_is_an_edit_where_nothing_was_interrupted(shop: Workshop) -> None:
    shop.write("a/b/c/deep", "de")
    with pytest.raises(WouldOverwriteError):
        shop.switch("full")
