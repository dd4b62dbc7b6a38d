import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.worktree.listing import pack
from oxy.worktree.reader import ChangedError
from oxy.worktree.row import UNKNOWN
from oxy.worktree.writer import InTheWayError, RefusedPathError, TreeWriter, UnwritableError


@pytest.fixture(name="tree")
def _tree(tmp_path: Path) -> Path:
    (tmp_path / "tree").mkdir()
    (tmp_path / "outside").mkdir()
    return tmp_path / "tree"


@pytest.fixture(name="writer")
def _writer(tree: Path) -> Iterator[TreeWriter]:
    fd = os.open(tree, os.O_RDONLY)
    writer = TreeWriter(fd)
    yield writer
    writer.close()
    os.close(fd)


def everything(base: Path) -> dict[str, str]:
    return {
        str(p.relative_to(base)): "directory" if p.is_dir() else p.read_text()
        for p in sorted(base.rglob("*"))
    }


def record(path: Path) -> bytes:
    return pack(os.lstat(path))


def put(writer: TreeWriter, path: bytes, data: bytes, over: bytes | None = None) -> bytes:
    return writer.write(path, [data], executable=False, over=over)


def test_a_file_is_written_with_the_directories_it_needs(
    tree: Path, writer: TreeWriter
) -> None:
    written = writer.write(b"a/b/c", [b"one ", b"", b"two"], executable=False, over=None)
    assert everything(tree) == {"a": "directory", "a/b": "directory", "a/b/c": "one two"}
    assert written == record(tree / "a/b/c")


def test_only_the_executable_bit_is_kept_and_the_umask_obeyed(
    tree: Path, writer: TreeWriter
) -> None:
    old = os.umask(0o027)
    try:
        writer.write(b"plain", [], executable=False, over=None)
        writer.write(b"tool", [], executable=True, over=None)
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.lstat(tree / "plain").st_mode) == 0o640
    assert stat.S_IMODE(os.lstat(tree / "tool").st_mode) == 0o750


def test_a_file_is_replaced_only_if_it_is_what_the_caller_knows(
    tree: Path, writer: TreeWriter
) -> None:
    first = put(writer, b"a", b"first")
    second = put(writer, b"a", b"second", over=first)
    with pytest.raises(ChangedError):
        put(writer, b"a", b"third", over=first)
    with pytest.raises(ChangedError):
        put(writer, b"a", b"third")
    with pytest.raises(ChangedError):
        put(writer, b"none", b"third", over=second)
    assert everything(tree) == {"a": "second"}


def test_a_hard_link_is_not_written_through(tree: Path, writer: TreeWriter) -> None:
    outside = tree.parent / "outside" / "a"
    outside.write_text("kept")
    (tree / "a").hardlink_to(outside)
    put(writer, b"a", b"new", over=record(tree / "a"))
    assert outside.read_text() == "kept"
    assert everything(tree) == {"a": "new"}


def test_a_symlink_at_the_place_is_replaced_and_not_followed(
    tree: Path, writer: TreeWriter
) -> None:
    outside = tree.parent / "outside" / "a"
    outside.write_text("kept")
    (tree / "a").symlink_to(outside)
    put(writer, b"a", b"new", over=record(tree / "a"))
    assert not (tree / "a").is_symlink()
    assert outside.read_text() == "kept"


def test_nothing_is_written_through_a_symlink_on_the_way(
    tree: Path, writer: TreeWriter
) -> None:
    (tree / "a").mkdir()
    (tree / "a" / "link").symlink_to(tree.parent / "outside")
    for path in (b"a/link/x", b"a/link/new/x"):
        with pytest.raises(InTheWayError) as raised:
            put(writer, path, b"no")
        assert raised.value.path == b"a/link"
    with pytest.raises(ChangedError):
        writer.remove(b"a/link/x", over=UNKNOWN)
    assert os.listdir(tree.parent / "outside") == []


@pytest.mark.parametrize("moved_to", ["tree/moved", "outside/moved"])
def test_a_directory_swapped_for_a_symlink_meanwhile_leads_nowhere(
    tree: Path, writer: TreeWriter, moved_to: str
) -> None:
    put(writer, b"a/b/first", b"1")
    (tree / "a").rename(tree.parent / moved_to)
    (tree / "a").symlink_to(tree.parent / "outside")
    before = everything(tree.parent / "outside")
    with pytest.raises(InTheWayError):
        put(writer, b"a/b/second", b"2")
    assert everything(tree.parent / "outside") == before


@pytest.mark.parametrize("path", [b"../outside/x", b"/x", b"a/../../outside/x", b".Oxy/x", b""])
def test_a_path_that_the_rule_refuses_is_neither_written_nor_removed(
    tree: Path, writer: TreeWriter, path: bytes
) -> None:
    (tree / "a").mkdir()
    for act in (
        lambda: put(writer, path, b"no"),
        lambda: writer.symlink(path, b"no", over=None),
        lambda: writer.remove(path, over=UNKNOWN),
    ):
        with pytest.raises(RefusedPathError) as raised:
            act()
        assert raised.value.path == path
    assert everything(tree.parent) == {
        "outside": "directory",
        "tree": "directory",
        "tree/a": "directory",
    }


def test_a_file_where_a_directory_must_be_is_in_the_way(tree: Path, writer: TreeWriter) -> None:
    (tree / "a").write_text("mine")
    for path in (b"a/x", b"a/b/c"):
        with pytest.raises(InTheWayError) as raised:
            put(writer, path, b"no")
        assert raised.value.path == b"a"
    assert everything(tree) == {"a": "mine"}


def test_a_directory_where_a_file_must_be_is_in_the_way_unless_empty(
    tree: Path, writer: TreeWriter
) -> None:
    (tree / "full").mkdir()
    (tree / "full" / "x").write_text("mine")
    (tree / "empty").mkdir()
    with pytest.raises(InTheWayError) as raised:
        put(writer, b"full", b"no")
    assert raised.value.path == b"full"
    put(writer, b"empty", b"yes")
    assert everything(tree) == {"empty": "yes", "full": "directory", "full/x": "mine"}


def test_a_symlink_is_made_and_replaced(tree: Path, writer: TreeWriter) -> None:
    first = writer.symlink(b"a/link", b"../\xff", over=None)
    assert first == record(tree / "a/link")
    assert os.readlink(os.fsencode(tree / "a/link")) == b"../\xff"
    with pytest.raises(ChangedError):
        writer.symlink(b"a/link", b"other", over=None)
    writer.symlink(b"a/link", b"other", over=first)
    assert os.listdir(tree / "a") == ["link"]
    assert os.readlink(tree / "a/link") == "other"


def test_removing_takes_the_directories_that_become_empty(
    tree: Path, writer: TreeWriter
) -> None:
    deep = put(writer, b"a/b/c/deep", b"x")
    put(writer, b"a/near", b"y")
    writer.remove(b"a/b/c/deep", over=deep)
    assert everything(tree) == {"a": "directory", "a/near": "y"}
    put(writer, b"a/b/c/deep", b"again")
    assert everything(tree)["a/b/c/deep"] == "again"


def test_an_edited_file_is_not_removed(tree: Path, writer: TreeWriter) -> None:
    known = put(writer, b"a", b"x")
    (tree / "a").write_text("mine")
    for path in (b"a", b"none", b"none/x"):
        with pytest.raises(ChangedError) as raised:
            writer.remove(path, over=known)
        assert raised.value.path == path
    assert everything(tree) == {"a": "mine"}


def test_a_failure_leaves_no_temporary_file(tree: Path, writer: TreeWriter) -> None:
    def broken() -> Iterator[bytes]:
        yield b"begun"
        message = "no more"
        raise ValueError(message)

    with pytest.raises(ValueError, match="no more"):
        writer.write(b"a/x", broken(), executable=False, over=None)
    with pytest.raises(ChangedError):
        writer.symlink(b"a/x", b"t", over=UNKNOWN)
    assert everything(tree) == {"a": "directory"}


def test_short_writes_are_continued_and_a_full_disk_is_an_error(
    tree: Path, writer: TreeWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[:2]))
    put(writer, b"a", b"0123456789")
    assert everything(tree) == {"a": "0123456789"}

    def full(_fd: int, _data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(UnwritableError, match="No space left"):
        put(writer, b"b", b"x")
    assert everything(tree) == {"a": "0123456789"}


def test_a_leftover_does_not_disturb_and_can_be_removed(tree: Path, writer: TreeWriter) -> None:
    leftover = b".oxy-tmp-%d-1" % os.getpid()
    (tree / os.fsdecode(leftover)).write_text("half")
    (tree / "mine").write_text("mine")
    put(writer, b"a", b"x")
    writer.remove_leftover(leftover)
    writer.remove_leftover(b"none/" + leftover)
    writer.remove_leftover(b"mine")
    assert everything(tree) == {"a": "x", "mine": "mine"}


def test_a_file_that_is_edited_at_once_has_no_known_record(
    tree: Path, writer: TreeWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.rename

    def editing(src: bytes, dst: bytes, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        real(src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
        (tree / "a").write_text("mine!")

    monkeypatch.setattr(os, "rename", editing)
    assert put(writer, b"a", b"yours") == UNKNOWN


def test_names_of_one_file_are_replaced_and_removed_one_after_the_other(
    tree: Path, writer: TreeWriter
) -> None:
    (tree / "a").write_text("shared")
    for name in ("b", "c"):
        os.link(tree / "a", tree / name)
    os.link(tree / "a", tree.parent / "other")
    known = record(tree / "a")
    put(writer, b"a", b"new", over=known)
    writer.remove(b"b", over=known)
    put(writer, b"c", b"newer", over=known)
    assert everything(tree) == {"a": "new", "c": "newer"}
    assert (tree.parent / "other").read_text() == "shared"


def test_an_edit_through_another_name_of_a_file_is_noticed(
    tree: Path, writer: TreeWriter
) -> None:
    (tree / "a").write_text("shared")
    os.link(tree / "a", tree / "b")
    known = record(tree / "a")
    put(writer, b"a", b"new", over=known)
    (tree / "b").write_text("edited since")
    with pytest.raises(ChangedError):
        put(writer, b"b", b"new", over=known)
