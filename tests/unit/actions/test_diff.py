from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.diff import between, working
from oxy.actions.init import init
from oxy.actions.patch import FileDiff
from oxy.actions.status import examined
from oxy.repo.states import Name
from oxy.worktree.workcopy import working_copy


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init(bytes(tmp_path))
    (tmp_path / "a").write_text("1\n")
    (tmp_path / "bin").write_bytes(b"\0" * 5000)
    (tmp_path / "move").write_text("moved whole, without an edit\n")
    return tmp_path


def record(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")


def edit(root: Path) -> None:
    (root / "a").write_text("2\n")
    (root / "a").chmod(0o755)
    (root / "bin").write_bytes(b"\0" * 5001)
    (root / "d").mkdir()
    (root / "move").rename(root / "d/moved")


def shown(diff: FileDiff) -> tuple[object, ...]:
    texts = () if diff.binary else (diff.old, diff.new)
    return (diff.old_path, diff.new_path, diff.old_mode, diff.new_mode, *texts)


WHOLE = b"moved whole, without an edit\n"
EXPECTED = [
    (b"a", b"a", 0o100644, 0o100755, b"1\n", b"2\n"),
    (b"bin", b"bin", 0o100644, 0o100644),
    (b"move", b"d/moved", 0o100644, 0o100644, WHOLE, WHOLE),
]


def test_the_working_copy_and_the_recorded_states_differ_alike(root: Path) -> None:
    record(root)
    edit(root)
    with working_copy(bytes(root)) as copy:
        before = [shown(diff) for diff in working(copy, examined(copy).changes)]
    record(root)
    with working_copy(bytes(root)) as copy:
        repository = copy.repository
        after = [shown(diff) for diff in between(repository, Name((1,)), Name((2,)))]
        back = [shown(diff) for diff in between(repository, Name((2,)), Name((1,)))]
    assert before == after == EXPECTED
    assert [(new, old) for old, new, *_ in back] == [(old, new) for old, new, *_ in EXPECTED]


def test_only_the_paths_that_are_asked_for_are_compared(root: Path) -> None:
    record(root)
    edit(root)
    record(root)
    with working_copy(bytes(root)) as copy:
        found = [
            (diff.old_path, diff.new_path)
            for diff in between(copy.repository, Name((1,)), Name((2,)), [b"a", b"d"])
        ]
    assert found == [(b"a", b"a"), (None, b"d/moved")]


def test_a_state_does_not_differ_from_itself(root: Path) -> None:
    record(root)
    with working_copy(bytes(root)) as copy:
        assert list(between(copy.repository, Name((1,)), Name((1,)))) == []
        assert examined(copy).changes == ()
