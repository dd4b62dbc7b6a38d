import os
from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.actions.status import examined
from oxy.worktree.workcopy import working_copy

TEXT = "".join(f"line number {number}\n" for number in range(20))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init(bytes(tmp_path))
    return tmp_path


def record(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")


def found(root: Path) -> list[tuple[str, bytes, bytes | None]]:
    with working_copy(bytes(root)) as copy:
        changes = examined(copy).changes
        return [(change.kind, change.path, change.source) for change in changes]


def test_the_same_content_is_found_whatever_it_is(root: Path) -> None:
    (root / "text").write_text("x\n")
    (root / "binary").write_bytes(b"\0\1")
    (root / "link").symlink_to("text")
    record(root)
    for name in ("text", "binary", "link"):
        os.rename(root / name, root / f"{name}.new")
    assert found(root) == [
        ("renamed", b"binary.new", b"binary"),
        ("renamed", b"link.new", b"link"),
        ("renamed", b"text.new", b"text"),
    ]


def test_a_symlink_never_becomes_a_file_of_the_same_bytes(root: Path) -> None:
    (root / "link").symlink_to("there")
    record(root)
    (root / "link").unlink()
    (root / "file").write_text("there")
    assert found(root) == [("added", b"file", None), ("deleted", b"link", None)]


def test_empty_files_are_not_taken_for_each_other(root: Path) -> None:
    (root / "old").write_text("")
    record(root)
    os.rename(root / "old", root / "new")
    assert found(root) == [("added", b"new", None), ("deleted", b"old", None)]


def test_an_edited_text_is_found_by_likeness(root: Path) -> None:
    (root / "old").write_text(TEXT)
    (root / "unlike").write_text("something else entirely, and long enough\n")
    record(root)
    (root / "old").unlink()
    (root / "unlike").unlink()
    (root / "new").write_text(TEXT + "more\n")
    assert found(root) == [("renamed", b"new", b"old"), ("deleted", b"unlike", None)]


def test_a_file_that_is_still_there_was_copied_and_not_renamed(root: Path) -> None:
    (root / "old").write_text(TEXT)
    record(root)
    (root / "new").write_text(TEXT)
    assert found(root) == [("added", b"new", None)]
