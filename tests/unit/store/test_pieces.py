import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from blake3 import blake3

from oxy.store.errors import ObjectDamagedError, StoreIOError
from oxy.store.file import FileStore
from oxy.store.limits import PIECE_SIZE
from oxy.store.protocol import CHANGE

CONTENT = blake3(b"noise").digest(3 * PIECE_SIZE)
"""Bytes that do not shrink, so that each piece takes a MiB of the segment."""


def identify(_kind: int, payload: bytes) -> bytes:
    return blake3(payload).digest()


@pytest.fixture
def path(tmp_path: Path) -> bytes:
    store = FileStore.create(bytes(tmp_path / ".oxy"), identify, durability="fast")
    with store.transaction() as transaction:
        transaction.append(CHANGE, identify(CHANGE, CONTENT), CONTENT)
    store.close()
    return bytes(tmp_path / ".oxy")


@pytest.fixture
def store(path: bytes) -> Iterator[FileStore]:
    opened = FileStore.open(path, identify)
    yield opened
    opened.close()


def _damage(path: bytes, offset: int) -> None:
    with open(path + b"/segments/000001.oxs", "r+b") as file:
        file.seek(offset)
        byte = file.read(1)
        file.seek(offset)
        file.write(bytes([byte[0] ^ 1]))


def _second(path: bytes) -> int:
    """Return where the second piece begins."""
    with open(path + b"/segments/000001.oxs", "rb") as file:
        content = file.read()
    return content.index(b"\xf5OXF", content.index(b"\xf5OXF") + 1)


def test_damage_in_a_piece_is_found_only_by_who_reads_it(path: bytes, store: FileStore) -> None:
    _damage(path, _second(path) + 5000)
    assert store.read_part(CHANGE, 1, 0, PIECE_SIZE) == CONTENT[:PIECE_SIZE]
    assert store.read_part(CHANGE, 1, 2 * PIECE_SIZE, 9) == CONTENT[2 * PIECE_SIZE :][:9]
    with pytest.raises(ObjectDamagedError, match="fails its digest") as caught:
        store.read_part(CHANGE, 1, PIECE_SIZE - 1, 2)
    assert caught.value.object_id == identify(CHANGE, CONTENT)
    with pytest.raises(ObjectDamagedError):
        list(store.chunks(CHANGE, 1))


def test_a_piece_behind_a_damaged_head_is_not_found(path: bytes, store: FileStore) -> None:
    _damage(path, _second(path) + 12)
    assert store.read_part(CHANGE, 1, 0, 9) == CONTENT[:9]
    with pytest.raises(ObjectDamagedError, match="fails its checksum"):
        store.read_part(CHANGE, 1, 2 * PIECE_SIZE, 9)


def test_a_piece_of_another_object_is_refused(tmp_path: Path) -> None:
    other = CONTENT[::-1]
    store = FileStore.create(bytes(tmp_path / ".oxy"), identify, durability="fast")
    with store.transaction() as transaction:
        transaction.append(CHANGE, identify(CHANGE, CONTENT), CONTENT)
        transaction.append(CHANGE, identify(CHANGE, other), other)
    segment = tmp_path / ".oxy" / "segments" / "000001.oxs"
    content = segment.read_bytes()
    starts = [at for at in range(len(content)) if content.startswith(b"\xf5OXF", at)][:6]
    first, second = content[starts[1] : starts[2]], content[starts[4] : starts[5]]
    assert len(first) == len(second)
    segment.write_bytes(content.replace(first, second))
    with pytest.raises(ObjectDamagedError, match="piece 1 is something else"):
        store.read_part(CHANGE, 1, PIECE_SIZE, 9)
    with pytest.raises(ObjectDamagedError, match="piece 1 is something else"):
        list(store.chunks(CHANGE, 1))
    store.close()


def test_what_the_system_refuses_names_the_object(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: int) -> bytes:
        raise OSError(5, "no")

    monkeypatch.setattr(os, "pread", refuse)
    with pytest.raises(StoreIOError, match=identify(CHANGE, CONTENT).hex()):
        store.read_part(CHANGE, 1, 0, 9)
