from pathlib import Path

import pytest
from blake3 import blake3

from oxy.errors import CorruptionError
from oxy.store.errors import ObjectDamagedError
from oxy.store.file import FileStore, scan_store
from oxy.store.frame import HEAD_SIZE, MAGIC
from oxy.store.limits import PIECE_SIZE
from oxy.store.protocol import BLOB, CHANGE
from oxy.store.scan import Damage, Found
from oxy.store.segment import HEADER_SIZE

PAYLOADS = [b"first", b"second" * 9, b"third"]


def identify(_kind: int, payload: bytes) -> bytes:
    return blake3(payload).digest()


def made(path: Path, *payloads: bytes) -> Path:
    """Make a store with a frame for each payload; return its only segment."""
    store = FileStore.create(bytes(path), identify, durability="fast")
    for payload in payloads:
        with store.transaction() as transaction:
            transaction.append(CHANGE, identify(CHANGE, payload), payload)
    store.close()
    return path / "segments" / "000001.oxs"


def broken_numbers(store: FileStore) -> list[int]:
    """Return the numbers of the objects that cannot be read; the others are as they were."""
    broken = []
    for number, payload in enumerate(PAYLOADS, 1):
        try:
            read = store.read(CHANGE, number)
        except ObjectDamagedError as error:
            read = payload if error.object_id == identify(CHANGE, payload) else b""
            broken.append(number)
        assert read == payload
    return broken


def scanned(path: Path) -> tuple[list[bytes | None], list[Damage]]:
    items = list(scan_store(bytes(path), identify))
    found = [item.payload for item in items if isinstance(item, Found)]
    return found, [item for item in items if isinstance(item, Damage)]


def test_everything_is_found_in_order(tmp_path: Path) -> None:
    made(tmp_path, *PAYLOADS)
    assert scanned(tmp_path) == (PAYLOADS, [])


def test_every_flipped_bit_is_found_and_costs_one_frame_at_most(tmp_path: Path) -> None:
    segment = made(tmp_path, *PAYLOADS)
    sound = segment.read_bytes()
    for position in range(len(sound)):
        flipped = bytearray(sound)
        flipped[position] ^= 1 << position % 8
        segment.write_bytes(flipped)
        found, damaged = scanned(tmp_path)
        assert len(damaged) == 1
        assert damaged[0].segment == 1
        assert damaged[0].offset <= position
        assert len(found) == (3 if position < HEADER_SIZE else 2)


def test_every_flipped_bit_is_found_by_the_reader(tmp_path: Path) -> None:
    segment = made(tmp_path, *PAYLOADS)
    sound = segment.read_bytes()
    store = FileStore.open(bytes(tmp_path), identify)
    for position in range(HEADER_SIZE, len(sound)):
        flipped = bytearray(sound)
        flipped[position] ^= 1 << position % 8
        segment.write_bytes(flipped)
        broken = broken_numbers(store)
        assert broken == [sound.count(MAGIC, 0, position + len(MAGIC))]
        segment.write_bytes(sound)
        store._files.forget()  # noqa: SLF001 -- what was read is not read again otherwise
    store.close()


def test_a_zeroed_middle_is_one_damage(tmp_path: Path) -> None:
    segment = made(tmp_path, *PAYLOADS)
    data = bytearray(segment.read_bytes())
    second = data.index(MAGIC, HEADER_SIZE + 1)
    third = data.index(MAGIC, second + 1)
    data[second:third] = bytes(third - second)
    segment.write_bytes(data)
    found, damaged = scanned(tmp_path)
    assert found == [PAYLOADS[0], PAYLOADS[2]]
    assert damaged == [Damage(1, second, "no frame begins here")]


def test_content_never_poses_as_a_frame(tmp_path: Path) -> None:
    inner = made(tmp_path / "inner", b"forged").read_bytes()[HEADER_SIZE:]
    noise = blake3(b"noise").digest(3000)
    outer = made(tmp_path / "outer", noise + inner + noise, b"last")
    data = bytearray(outer.read_bytes())
    data[HEADER_SIZE + 6] ^= 1
    outer.write_bytes(data)
    found, damaged = scanned(tmp_path / "outer")
    assert found == [b"last"]
    assert len(damaged) == 1


def test_a_missing_segment_and_its_objects_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy.store.writer.SEGMENT_LIMIT", 200)
    made(tmp_path, *PAYLOADS)
    (tmp_path / "segments" / "000002.oxs").unlink()
    found, damaged = scanned(tmp_path)
    assert found == [PAYLOADS[0], PAYLOADS[2]]
    assert damaged == [Damage(2, 0, "the segment is missing")]


def test_swapped_segments_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oxy.store.writer.SEGMENT_LIMIT", 200)
    first = made(tmp_path, *PAYLOADS)
    second = first.with_name("000002.oxs")
    first_bytes, second_bytes = first.read_bytes(), second.read_bytes()
    first.write_bytes(second_bytes)
    second.write_bytes(first_bytes)
    _, damaged = scanned(tmp_path)
    assert {item.segment for item in damaged} >= {1, 2}
    store = FileStore.open(bytes(tmp_path), identify)
    with pytest.raises(CorruptionError, match=identify(CHANGE, PAYLOADS[0]).hex()):
        store.read(CHANGE, 1)
    assert store.read(CHANGE, 3) == PAYLOADS[2]
    store.close()


@pytest.mark.parametrize("empty", ["000001.oxs", "000002.oxs", "000003.oxs"])
def test_an_empty_segment_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty: str
) -> None:
    monkeypatch.setattr("oxy.store.writer.SEGMENT_LIMIT", 200)
    made(tmp_path, *PAYLOADS)
    (tmp_path / "segments" / empty).write_bytes(b"")
    found, damaged = scanned(tmp_path)
    assert len(found) == 2
    assert int(empty[:6]) in {item.segment for item in damaged}


def test_content_with_another_id_is_damage(tmp_path: Path) -> None:
    store = FileStore.create(bytes(tmp_path), identify)
    with store.transaction() as transaction:
        transaction.append(CHANGE, bytes(32), b"content of another id")
    with pytest.raises(CorruptionError, match="another id"):
        store.read(CHANGE, 1)
    store.close()
    found, damaged = scanned(tmp_path)
    assert found == []
    assert bytes(32).hex() in damaged[0].what


def test_a_large_object_with_a_damaged_piece_is_named_once(tmp_path: Path) -> None:
    store = FileStore.create(bytes(tmp_path), identify)
    content = blake3(b"noise").digest(4 * PIECE_SIZE)
    with store.transaction() as transaction:
        transaction.append(BLOB, identify(BLOB, content), content)
        transaction.append(CHANGE, identify(CHANGE, b"after"), b"after")
    segment = tmp_path / "segments" / "000001.oxs"
    data = bytearray(segment.read_bytes())
    data[HEADER_SIZE + PIECE_SIZE + 2 * HEAD_SIZE + 500] ^= 1
    segment.write_bytes(data)
    with pytest.raises(CorruptionError, match=identify(BLOB, content).hex()):
        list(store.chunks(BLOB, 1))
    store.close()
    found, damaged = scanned(tmp_path)
    assert found == [b"after"]
    assert len(damaged) == 2
    assert identify(BLOB, content).hex() in damaged[0].what
