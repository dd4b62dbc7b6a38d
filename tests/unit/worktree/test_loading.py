import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from blake3 import blake3

from oxy.model.operation import KIND_BINARY, KIND_SYMLINK, KIND_TEXT
from oxy.worktree.listing import pack
from oxy.worktree.loading import HELD, Loaded, again, load
from oxy.worktree.reader import ChangedError, TreeReader


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[TreeReader]:
    fd = os.open(tmp_path, os.O_RDONLY)
    reader = TreeReader(fd)
    yield reader
    reader.close()
    os.close(fd)


def record(path: Path) -> bytes:
    return pack(os.lstat(path))


def test_a_file_is_loaded_with_its_digest(tmp_path: Path, reader: TreeReader) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"text\n")
    path.chmod(0o755)
    expected = Loaded(KIND_TEXT, 1, b"text\n", 5, blake3(b"text\n").digest())
    assert load(reader, b"f", record(path)) == expected


def test_a_symlink_is_loaded_as_where_it_points(tmp_path: Path, reader: TreeReader) -> None:
    path = tmp_path / "link"
    path.symlink_to("no/where")
    expected = Loaded(KIND_SYMLINK, 0, b"no/where", 8, blake3(b"no/where").digest())
    assert load(reader, b"link", record(path)) == expected


def test_a_large_binary_is_not_held_but_read_again(tmp_path: Path, reader: TreeReader) -> None:
    path = tmp_path / "big"
    data = b"\0" + b"x" * HELD
    path.write_bytes(data)
    loaded = load(reader, b"big", record(path))
    assert loaded == Loaded(KIND_BINARY, 0, None, len(data), blake3(data).digest())
    assert b"".join(again(reader, b"big", record(path), loaded.digest)) == data


def test_a_file_that_is_not_what_was_seen_is_not_loaded(
    tmp_path: Path, reader: TreeReader
) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"one")
    seen = record(path)
    path.write_bytes(b"other")
    with pytest.raises(ChangedError):
        load(reader, b"f", seen)
    with pytest.raises(ChangedError):
        list(again(reader, b"f", seen, blake3(b"one").digest()))
