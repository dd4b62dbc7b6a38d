import os
from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.repo.states import Name
from oxy.repo.tree import get
from oxy.repo.trees import tree_of
from oxy.worktree.vouched import OnDisk
from oxy.worktree.workcopy import working_copy

LARGE = b"x\n" * 600_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init(bytes(tmp_path))
    for text in ("one\n", "two\n"):
        (tmp_path / "edited").write_text(text)
        (tmp_path / "kept").write_text("kept\n")
        (tmp_path / "large").write_bytes(LARGE)
        for name in ("edited", "kept", "large"):
            os.utime(tmp_path / name, ns=(1_000_000_000, 1_000_000_000))
        with working_copy(bytes(tmp_path)) as copy:
            commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")
    return tmp_path


def read(root: Path, state: int, *names: bytes) -> list[bytes | None]:
    with working_copy(bytes(root)) as copy:
        copy.snapshot()
        name = Name((state,))
        tree = tree_of(copy.repository, name)
        disk = OnDisk(copy, name)
        entries = [get(tree, path) for path in names]
        found = [disk.read(p, e) if e else None for p, e in zip(names, entries, strict=True)]
        disk.close()
        return found


def test_a_file_is_read_where_it_is_as_the_state_has_it(root: Path) -> None:
    assert read(root, 2, b"edited", b"kept") == [b"two\n", b"kept\n"]


def test_a_file_of_another_version_is_not_read(root: Path) -> None:
    assert read(root, 1, b"edited", b"kept") == [None, b"kept\n"]


def test_an_edited_file_is_not_read(root: Path) -> None:
    (root / "kept").write_text("edit\n")
    assert read(root, 2, b"edited", b"kept") == [b"two\n", None]


def test_a_file_that_is_gone_or_another_kind_is_not_read(root: Path) -> None:
    (root / "kept").unlink()
    (root / "edited").unlink()
    (root / "edited").symlink_to("large")
    assert read(root, 2, b"edited", b"kept") == [None, None]


def test_a_large_file_is_left_to_be_streamed(root: Path) -> None:
    assert read(root, 2, b"large") == [None]
