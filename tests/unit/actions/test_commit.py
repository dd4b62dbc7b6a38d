from pathlib import Path

import pytest

from oxy.actions.commit import Committed, NoMessageError, Request, commit
from oxy.actions.init import init
from oxy.actions.recording import MovedError
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.repository import opened
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import CHANGE
from oxy.worktree.reader import ChangedError
from oxy.worktree.snapshot import Snapshot
from oxy.worktree.workcopy import working_copy

ASKED = Request(author=b"Ada <ada@example.org>")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init(bytes(tmp_path))
    (tmp_path / "f").write_text("1\n")
    return tmp_path


def record(root: Path, message: bytes = b"x") -> Committed:
    with working_copy(bytes(root)) as copy:
        return commit(copy, ASKED, lambda _: message)


def count(root: Path) -> int:
    with opened(bytes(root)) as repository:
        return repository.store.count(CHANGE)


def test_a_file_that_changes_meanwhile_stops_the_commit_and_nothing_is_recorded(
    root: Path,
) -> None:
    def edit(_: Snapshot) -> bytes:
        (root / "f").write_text("saved by an editor\n")
        return b"x"

    (root / "a").write_text("read before\n")
    with working_copy(bytes(root)) as copy, pytest.raises(ChangedError):
        commit(copy, ASKED, edit)
    assert count(root) == 0
    record(root)
    assert count(root) == 1


def test_an_empty_message_is_refused(root: Path) -> None:
    with pytest.raises(NoMessageError):
        record(root, b" \n\n")
    assert count(root) == 0


def test_nothing_is_recorded_where_nothing_changed(root: Path) -> None:
    assert record(root).id is not None
    assert record(root).id is None
    assert count(root) == 1


def test_a_bookmark_that_moved_is_not_moved_back(root: Path) -> None:
    record(root)
    with (
        opened(bytes(root)) as repository,
        writing(repository, Stamp(1, 0, b"", b"test")) as work,
    ):
        work.move(Ref(BOOKMARK, b"main"), Target(Name()))
    (root / "f").write_text("2\n")
    with pytest.raises(MovedError):
        record(root)
    assert count(root) == 1


def test_a_message_is_kept_without_the_space_around_it(root: Path) -> None:
    assert record(root, b"\nTitle\n\n  body\n\n").message == b"Title\n\n  body"
