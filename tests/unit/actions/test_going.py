from pathlib import Path

import pytest

from oxy.actions.clock import now
from oxy.actions.commit import Request, commit
from oxy.actions.going import go, stay
from oxy.actions.init import init
from oxy.actions.status import status
from oxy.actions.switch import switch
from oxy.model.operation import KIND_SUBREPO, PIN, PLACE
from oxy.repo.operations import Move
from oxy.repo.recording import Intent, NodeDraft, Setting
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.repository import Repository, opened
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.worktree.checkout import WouldOverwriteError
from oxy.worktree.switching import Note, SwitchInterruptedError, write
from oxy.worktree.workcopy import working_copy
from tests.builders.tree import held

STAMP = Stamp(1, 0, b"", b"test")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init(bytes(tmp_path))
    (tmp_path / "f").write_text("1\n")
    with working_copy(bytes(tmp_path)) as copy:
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")
    return tmp_path


def kinds(root: Path) -> list[str]:
    with working_copy(bytes(root)) as copy:
        return [change.kind for change in status(copy).snapshot.changes]


def test_files_that_have_come_already_are_no_edits(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        before = copy.base
        (root / "f").rename(root / "g")
        (root / "g").write_text("2\n")
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"y")
        after = copy.base
    for target, name, text in ((before, "f", "1\n"), (after, "g", "2\n")):
        for path in (root / "f", root / "g"):
            path.unlink(missing_ok=True)
        (root / name).write_text(text)
        with working_copy(bytes(root)) as copy:
            stay(copy, STAMP, [Move(HERE, None, target)], have_come=True)
        assert kinds(root) == []


def test_files_follow_names_or_stay(root: Path) -> None:
    empty = [Move(HERE, None, Target(Name()))]
    first = [Move(HERE, None, Target(Name((1,))))]
    with working_copy(bytes(root)) as copy:
        stay(copy, STAMP, empty)
    assert kinds(root) == ["added"]
    with working_copy(bytes(root)) as copy:
        stay(copy, STAMP, first)
    assert kinds(root) == []
    with working_copy(bytes(root)) as copy:
        assert go(copy, STAMP, empty, b"x") == (0, 1)
    assert held(root) == {}
    assert kinds(root) == []


def test_a_copy_that_was_never_on_a_state_is_filled(tmp_path: Path, root: Path) -> None:
    with opened(bytes(root)) as repository, writing(repository, STAMP) as work:
        work.move(HERE, None)
    (root / "f").unlink()
    with working_copy(bytes(root)) as copy:
        assert switch(copy, b"main").went == (1, 0)
    assert (tmp_path / "f").read_text() == "1\n"
    assert kinds(root) == []


def test_nothing_stays_where_a_switch_was_interrupted(root: Path) -> None:
    write(bytes(root / ".oxy"), Note(b"elsewhere", b"there"))
    with working_copy(bytes(root)) as copy, pytest.raises(SwitchInterruptedError):
        stay(copy, STAMP, [Move(HERE, None, Target(Name()))])


def test_all_files_in_the_way_are_named_and_none_is_touched(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        go(copy, STAMP, [Move(HERE, None, Target(Name()))], b"x")
    (root / "f").mkdir()
    (root / "f/mine").write_text("mine\n")
    (root / "f/empty").mkdir()
    with working_copy(bytes(root)) as copy, pytest.raises(WouldOverwriteError) as caught:
        switch(copy, b"main")
    assert caught.value.paths == (b"f/empty", b"f/mine")


def test_a_subrepo_is_neither_written_nor_missed(root: Path) -> None:
    with opened(bytes(root)) as repository:
        _pin(repository)
    with working_copy(bytes(root)) as copy:
        switch(copy, b"pinned")
    assert list(held(root)) == ["f"]
    assert kinds(root) == []


def _pin(repository: Repository) -> None:
    with writing(repository, STAMP) as work:
        number = work.next_change()
        settings = (Setting(PLACE, b"sub"), Setting(PIN, b"p" * 20))
        draft = NodeDraft(0, (0, 0), KIND_SUBREPO, settings)
        work.record(Intent(b"Ada <a@x>", now(), b"x"), Name((1,)), [draft], number)
        work.move(Ref(BOOKMARK, b"pinned"), Target(Name((number,))))
