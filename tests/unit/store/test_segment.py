import os
from pathlib import Path

import pytest

from oxy.store.errors import (
    FormatTooNewError,
    FrameDamagedError,
    SegmentDamagedError,
    SegmentsMissingError,
)
from oxy.store.file import scan_store
from oxy.store.frame import RECORDS, packer, seal
from oxy.store.limits import OPEN_SEGMENTS
from oxy.store.record import IN_PIECES, Place
from oxy.store.scan import Found
from oxy.store.segment import (
    HEADER_SIZE,
    Before,
    SegmentFiles,
    pack_header,
    parse_header,
    segment_numbers,
    segment_path,
)

# Two records in a plain frame, one in a compressed one, an object in two pieces.
FIRST_VERSION = bytes.fromhex(
    "8f6f78797365670a00000001000000010000000000000000628739501b89f0edf54f584601000000"
    "000000000000004f0000004f655e78e072d509f1d749a802c7a81a3d835dbbdc0100010203040506"
    "0708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f000000056669727374020102030405"
    "060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2000000000f54f58460101000000"
    "0000000000003c0000009d0a0a8aef9987f4f558faf7efd1c43270486abdd028b52ffd209d9d0100"
    "b4020302030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20210000007873"
    "65636f6e6401007b494b19f54f584602000000000000000000002d0000002d0cd8e84be6e3a5d783"
    "402681a5dd24a182b12dde02030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e"
    "1f202122000000000000000761626364f54f5846030000000000000000000028000000281a3a0225"
    "ccbea20a0386edf253e8dc534544934502030405060708090a0b0c0d0e0f10111213141516171819"
    "1a1b1c1d1e1f20212200000001656667"
)


def written(directory: Path, segment: int, *frames: bytes) -> SegmentFiles:
    content = b"".join((pack_header(segment, (segment - 1, 0)), *frames))
    (directory / f"{segment:06}.oxs").write_bytes(content)
    return SegmentFiles(bytes(directory))


def test_a_segment_of_the_first_version_is_read(tmp_path: Path) -> None:
    (tmp_path / "segments").mkdir()
    (tmp_path / "segments" / "000001.oxs").write_bytes(FIRST_VERSION)
    ids = [bytes(range(start, start + 32)) for start in range(4)]
    assert list(scan_store(bytes(tmp_path))) == [
        Found(1, ids[0], Place(1, 32, 0, 5), b"first"),
        Found(2, ids[1], Place(1, 32, 42, 0), b""),
        Found(3, ids[2], Place(1, 151, 0, 120), b"second" * 20),
        Found(2, ids[3], Place(1, 251, IN_PIECES, 7), None),
    ]


def test_the_bytes_of_a_header_never_change() -> None:
    assert pack_header(1, (0, 0)).hex() == (
        "8f6f78797365670a0000000200000001000000000000000018480fe21b84397c"
    )
    assert pack_header(7, (3, 4096)).hex() == (
        "8f6f78797365670a0000000200000007000000030000100081734b12c213caa5"
    )


def test_a_header_of_the_first_version_follows_the_segment_below() -> None:
    assert parse_header(FIRST_VERSION[:HEADER_SIZE], 1) == Before(0, 0, 1)
    seventh = "8f6f78797365670a0000000100000007000000000000100096c1232547e71e13"
    assert parse_header(bytes.fromhex(seventh), 7) == Before(6, 4096, 1)


def test_a_segment_that_follows_none_below_it_is_refused() -> None:
    with pytest.raises(SegmentDamagedError, match="it follows 3"):
        parse_header(pack_header(3, (3, 0)), 3)


def test_every_flipped_bit_of_a_header_is_found() -> None:
    header = pack_header(3, (2, 1234))
    for position in range(len(header) * 8):
        flipped = bytearray(header)
        flipped[position // 8] ^= 1 << position % 8
        with pytest.raises(SegmentDamagedError):
            parse_header(bytes(flipped), 3)


def test_a_header_of_another_segment_is_refused() -> None:
    with pytest.raises(SegmentDamagedError, match="says that it is segment 2"):
        parse_header(pack_header(2, (1, 0)), 1)


def test_a_header_of_a_later_format_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oxy.store.segment.VERSION", 3)
    header = pack_header(1, (0, 0))
    monkeypatch.undo()
    with pytest.raises(FormatTooNewError):
        parse_header(header, 1)


def test_only_names_of_segments_count(tmp_path: Path) -> None:
    for name in ("000002.oxs", "000001.oxs", "1.oxs", "00000x.oxs", "000003.tmp", "notes"):
        (tmp_path / name).touch()
    assert segment_numbers(bytes(tmp_path)) == [1, 2]


def test_a_missing_segment_is_named(tmp_path: Path) -> None:
    with pytest.raises(SegmentDamagedError, match="segment 4 is damaged: the file is missing"):
        SegmentFiles(bytes(tmp_path)).frame(4, HEADER_SIZE)


def test_a_frame_longer_than_the_first_read_comes_whole(tmp_path: Path) -> None:
    content = os.urandom(100_000)
    files = written(
        tmp_path, 1, seal(RECORDS, content, packer(3)), seal(RECORDS, b"b", packer(3))
    )
    first = files.frame(1, HEADER_SIZE)
    assert first.raw == content
    assert files.frame(1, first.end).raw == b"b"
    with pytest.raises(FrameDamagedError, match="cut short"):
        files.frame(1, files.frame(1, first.end).end)
    files.forget()


def test_a_symlink_is_never_followed(tmp_path: Path) -> None:
    written(tmp_path, 1, seal(RECORDS, b"a", packer(3)))
    (tmp_path / "elsewhere").symlink_to(tmp_path / "000001.oxs")
    os.rename(tmp_path / "elsewhere", segment_path(bytes(tmp_path), 2))
    with pytest.raises(Exception, match="cannot open"):
        SegmentFiles(bytes(tmp_path)).frame(2, HEADER_SIZE)


def test_few_files_and_frames_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oxy.store.segment.FRAME_CACHE", 3000)
    before = len(os.listdir("/proc/self/fd"))
    for segment in range(1, OPEN_SEGMENTS + 10):
        files = written(tmp_path, segment, seal(RECORDS, b"%1000d" % segment, packer(3)))
    for _ in range(2):
        for segment in range(1, OPEN_SEGMENTS + 10):
            assert files.frame(segment, HEADER_SIZE).raw == b"%1000d" % segment
    assert len(os.listdir("/proc/self/fd")) - before == OPEN_SEGMENTS
    files.forget()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_directory_that_is_not_there_is_told_as_what_was_lost(tmp_path: Path) -> None:
    with pytest.raises(SegmentsMissingError, match="segments, which holds all"):
        segment_numbers(bytes(tmp_path / "segments"))
