import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.worktree import reader as module
from oxy.worktree.listing import UnreadableError, pack
from oxy.worktree.reader import ChangedError, NotAFileError, TreeReader


@pytest.fixture(name="reader")
def _reader(tmp_path: Path) -> Iterator[TreeReader]:
    fd = os.open(tmp_path, os.O_RDONLY)
    reader = TreeReader(fd)
    yield reader
    reader.close()
    os.close(fd)


@pytest.mark.parametrize("data", [b"", b"x", b"\0\xff" * 5_000])
def test_a_file_is_read_whole_with_its_record(
    tmp_path: Path, reader: TreeReader, data: bytes
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a").write_bytes(data)
    content = reader.read(b"sub/a")
    assert content.data == data
    assert content.record == pack(os.lstat(tmp_path / "sub" / "a"))


def test_a_large_file_comes_in_pieces(
    tmp_path: Path, reader: TreeReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHUNK", 4)
    (tmp_path / "a").write_bytes(b"0123456789")
    records: list[bytes] = []
    assert list(reader.chunks(b"a", records)) == [b"0123", b"4567", b"89"]
    assert records == [pack(os.lstat(tmp_path / "a"))]


@pytest.mark.parametrize("change", [b"0123456789+", b"01234", b"0123456780"])
def test_a_file_that_is_written_while_it_is_read_is_an_error(
    tmp_path: Path, reader: TreeReader, monkeypatch: pytest.MonkeyPatch, change: bytes
) -> None:
    monkeypatch.setattr(module, "CHUNK", 4)
    (tmp_path / "a").write_bytes(b"0123456789")
    records: list[bytes] = []
    pieces = reader.chunks(b"a", records)
    assert next(pieces) == b"0123"
    (tmp_path / "a").write_bytes(change)
    with pytest.raises(ChangedError, match="a changed meanwhile"):
        list(pieces)
    assert records == []


def test_nothing_but_a_regular_file_is_read(tmp_path: Path, reader: TreeReader) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "file").touch()
    (tmp_path / "dir").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "sock"))
        for name in (b"fifo", b"link", b"dir", b"sock"):
            with pytest.raises(NotAFileError) as raised:
                reader.read(name)
            assert raised.value.path == name


def test_a_symlink_on_the_way_is_not_followed(tmp_path: Path, reader: TreeReader) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").touch()
    (tmp_path / "link").symlink_to("real")
    with pytest.raises(UnreadableError):
        reader.read(b"link/a")
    with pytest.raises(UnreadableError):
        reader.read(b"none")


def test_the_target_of_a_symlink_is_read_as_bytes(tmp_path: Path, reader: TreeReader) -> None:
    os.symlink(b"../\xff", os.fsencode(tmp_path / "link"))
    (tmp_path / "file").touch()
    content = reader.target(b"link")
    assert content.data == b"../\xff"
    assert content.record == pack(os.lstat(tmp_path / "link"))
    with pytest.raises(NotAFileError):
        reader.target(b"file")
    with pytest.raises(UnreadableError):
        reader.target(b"none")


def test_a_symlink_that_is_replaced_while_it_is_read_is_an_error(
    tmp_path: Path, reader: TreeReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"
    link.symlink_to("one")
    real = os.readlink

    def replacing(name: bytes, *, dir_fd: int) -> bytes:
        target = real(name, dir_fd=dir_fd)
        link.unlink()
        link.symlink_to("other")
        return target

    monkeypatch.setattr(os, "readlink", replacing)
    with pytest.raises(ChangedError):
        reader.target(b"link")
