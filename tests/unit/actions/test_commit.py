from pathlib import Path

import pytest

from oxy.actions.commit import Committed, NoMessageError, Request, commit
from oxy.actions.going import MovedError, MovedMeanwhileError
from oxy.actions.init import init
from oxy.actions.recording import OvertakenError
from oxy.actions.status import examined
from oxy.actions.undo import undo
from oxy.actions.undoing import Plan, plan_undo
from oxy.cli.watching import Silent
from oxy.model.change import Moment
from oxy.repo.fsck import fsck
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.repository import Repository, opened
from oxy.repo.states import Name
from oxy.repo.trees import kept_trees
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


def test_another_commit_while_the_message_is_written_stops_the_commit(root: Path) -> None:
    (root / "g").write_text("1\n")

    def ask(_: Snapshot) -> bytes:
        record(root)
        return b"mine"

    with working_copy(bytes(root)) as copy, pytest.raises(OvertakenError):
        commit(copy, ASKED, ask)
    assert count(root) == 1


def test_a_commit_that_another_overtakes_leaves_no_wrong_manifest(root: Path) -> None:
    record(root)
    (root / "g").write_text("1\n")
    (root / "h").write_text("1\n")
    with working_copy(bytes(root)) as late:
        seen = late.snapshot((b"g",)).changes
        here = late.base
        record(root)
        late.moved(here, dict.fromkeys([change.path for change in seen]), late.clock())
    with working_copy(bytes(root)) as copy:
        assert not examined(copy, ()).changes


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


def test_a_change_that_was_taken_back_is_recorded_again_as_the_same(root: Path) -> None:
    (root / "g").write_text("2\n")
    asked = ASKED._replace(time=Moment(7, 0))
    ids = []
    for _ in range(2):
        with working_copy(bytes(root)) as copy:
            ids.append(commit(copy, asked, lambda _: b"x").id)
        with working_copy(bytes(root)) as copy:
            assert not examined(copy, ()).changes
            undo(copy)
    assert ids[0] == ids[1]
    assert count(root) == 1


def test_the_trees_that_commits_keep_are_what_their_changes_make(root: Path) -> None:
    (root / "d").mkdir()
    (root / "d" / "g").write_text("a line that is long enough to be known again\n")
    record(root)
    (root / "f").write_text("2\n")
    (root / "d" / "g").rename(root / "h")
    record(root)
    (root / "f").unlink()
    (root / "f").mkdir()
    (root / "f" / "f").write_text("3\n")
    record(root)
    with opened(bytes(root)) as repository:
        assert len(list(kept_trees(repository))) == 3
        assert list(fsck(repository, Silent())) == []


def test_a_step_that_another_takes_meanwhile_is_not_taken_back(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(root)

    def overtaken(repository: Repository) -> Plan:
        plan = plan_undo(repository)
        (root / "f").write_text("2\n")
        record(root, b"by another")
        return plan

    monkeypatch.setattr("oxy.actions.undo.plan_undo", overtaken)
    with working_copy(bytes(root)) as copy, pytest.raises(MovedMeanwhileError):
        undo(copy)
    with opened(bytes(root)) as repository:
        assert repository.refs.get(Ref(BOOKMARK, b"main")) == Target(Name((2,)))
