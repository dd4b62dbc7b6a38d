import os
from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.codec.limits import INLINE
from oxy.graph.weave import SHIFT
from oxy.model.operation import (
    BYTES,
    FINAL_LF,
    KIND,
    KIND_BINARY,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    PLACE,
    TARGET,
    BlobRef,
)
from oxy.repo.repository import opened
from oxy.repo.states import Name
from oxy.repo.tree import get
from oxy.repo.trees import tree_of
from oxy.worktree.workcopy import working_copy


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init(bytes(tmp_path))
    return tmp_path


def record(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")


def node(root: Path, change: int, path: bytes) -> int:
    with opened(bytes(root)) as repository:
        entry = get(tree_of(repository, Name((change,))), path)
        assert entry is not None
        return entry.node


def writes(root: Path, change: int, node: int) -> dict[int, object]:
    """Return the registers of a node that a change writes."""
    with opened(bytes(root)) as repository:
        found = repository.nodes.registers(node).writes
        return {write.register: write.value for write in found if write.change == change}


def origins(root: Path, change: int, node: int) -> list[tuple[int, int, int]]:
    """Return (change, first line, lines) of what a state reads."""
    with opened(bytes(root)) as repository:
        reading = repository.nodes.reading(node, repository.states.of_change(change))
        return [(s >> SHIFT, s & 0xFFFFFFFF, size) for s, size in reading.spans()]


def test_lines_that_stayed_keep_their_identity(root: Path) -> None:
    (root / "f").write_text("a\nb\nc\nd\n")
    record(root)
    (root / "f").write_text("a\nB\nc\nd\ne\n")
    record(root)
    assert origins(root, 2, 1) == [(1, 0, 1), (2, 0, 1), (1, 2, 2), (2, 1, 1)]


def test_a_file_that_moved_and_was_edited_is_the_same_node(root: Path) -> None:
    text = "".join(f"line number {number}\n" for number in range(20))
    (root / "old").write_text(text)
    record(root)
    (root / "old").unlink()
    (root / "d").mkdir()
    (root / "d/new").write_text(text + "one more\n")
    record(root)
    assert node(root, 2, b"d/new") == node(root, 1, b"old") == 1
    assert writes(root, 2, 1) == {PLACE: b"d/new"}
    assert origins(root, 2, 1) == [(1, 0, 20), (2, 0, 1)]


def test_only_what_differs_is_written(root: Path) -> None:
    (root / "f").write_text("a\n")
    record(root)
    assert writes(root, 1, 1) == {PLACE: b"f"}
    (root / "f").chmod(0o755)
    record(root)
    assert writes(root, 2, 1) == {MODE: 1}
    (root / "f").write_text("a")
    record(root)
    assert writes(root, 3, 1) == {FINAL_LF: 0}
    (root / "f").write_text("")
    record(root)
    assert writes(root, 4, 1) == {}
    (root / "f").write_text("b")
    record(root)
    assert writes(root, 5, 1) == {}
    (root / "f").unlink()
    record(root)
    assert writes(root, 6, 1) == {PLACE: None}
    assert origins(root, 6, 1) == []


def test_a_file_that_changes_its_type_stays_the_same_node(root: Path) -> None:
    (root / "f").write_bytes(b"a\n")
    record(root)
    (root / "f").write_bytes(b"\0")
    record(root)
    assert writes(root, 2, 1) == {KIND: KIND_BINARY, BYTES: b"\0"}
    assert origins(root, 2, 1) == []
    (root / "f").unlink()
    (root / "f").symlink_to("there")
    record(root)
    assert writes(root, 3, 1) == {KIND: KIND_SYMLINK, TARGET: b"there"}
    (root / "f").unlink()
    (root / "f").write_bytes(b"a\n")
    record(root)
    assert writes(root, 4, 1) == {KIND: KIND_TEXT}
    assert origins(root, 4, 1) == [(4, 0, 1)]


@pytest.mark.parametrize("size", [INLINE - 1, INLINE])
def test_long_binary_content_becomes_a_blob(root: Path, size: int) -> None:
    (root / "f").write_bytes(b"\0" * size)
    record(root)
    value = writes(root, 1, 1)[BYTES]
    assert isinstance(value, BlobRef) is (size >= INLINE)


def test_files_are_numbered_in_the_order_of_their_paths(root: Path) -> None:
    for name in ("b", "a", "c"):
        (root / name).write_text("x\n")
        os.utime(root / name, (1, 1))
    record(root)
    assert [node(root, 1, path) for path in (b"a", b"b", b"c")] == [1, 2, 3]
