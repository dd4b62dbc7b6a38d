import os
from pathlib import Path

import pytest

from oxy.store.errors import SegmentDamagedError, StoreIOError
from oxy.store.frame import RECORDS, packer, seal
from oxy.store.segment import HEADER_SIZE, SegmentFiles, segment_numbers
from oxy.store.writer import SegmentWriter

FRAME = seal(RECORDS, b"content", packer(3))


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SegmentFiles:
    monkeypatch.setattr("oxy.store.writer.SEGMENT_LIMIT", HEADER_SIZE + 2 * len(FRAME))
    return SegmentFiles(bytes(tmp_path))


def written(files: SegmentFiles, count: int, begun: tuple[int, int] = (0, 0)) -> SegmentWriter:
    writer = SegmentWriter(files, begun)
    for _ in range(count):
        writer.append(FRAME)
    writer.sync()
    return writer


def test_a_full_segment_is_followed_by_another(files: SegmentFiles) -> None:
    writer = written(files, 5)
    full = HEADER_SIZE + 2 * len(FRAME)
    assert writer.ends() == {1: full, 2: full, 3: HEADER_SIZE + len(FRAME)}
    assert [files.header(segment).end for segment in (1, 2, 3)] == [0, full, full]
    frame = files.frame(1, HEADER_SIZE + len(FRAME))
    assert files.follow(1, frame.end) == (2, HEADER_SIZE)
    assert files.follow(1, files.frame(1, HEADER_SIZE).end) == (1, HEADER_SIZE + len(FRAME))


def test_a_rollback_leaves_nothing(files: SegmentFiles) -> None:
    begun = written(files, 1).place
    writer = written(files, 4, begun)
    assert segment_numbers(files.directory) == [1, 2, 3]
    assert not writer.rollback()
    assert segment_numbers(files.directory) == [1]
    assert files.size(1) == begun[1]


def test_a_segment_whose_sync_failed_is_never_written_to_again(
    files: SegmentFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = written(files, 1).place
    writer = SegmentWriter(files, begun)
    writer.append(FRAME)

    def failing(_fd: int) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing)
        with pytest.raises(StoreIOError) as caught:
            writer.sync()
    assert caught.value.errno == 5
    assert writer.rollback()
    assert segment_numbers(files.directory) == [1, 2]
    assert files.header(2).end == begun[1] == files.size(1)


def test_short_writes_are_continued(
    files: SegmentFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda fd, data, offset: real(fd, data[:3], offset))
    writer = written(files, 2)
    assert files.frame(1, HEADER_SIZE + len(FRAME)).raw == b"content"
    assert writer.place == (1, HEADER_SIZE + 2 * len(FRAME))


def test_a_segment_with_a_damaged_header_is_not_appended_to(files: SegmentFiles) -> None:
    place = written(files, 1).place
    with open(files.directory + b"/000001.oxs", "r+b") as file:
        file.write(b"x")
    with pytest.raises(SegmentDamagedError):
        SegmentWriter(files, place).append(FRAME)


def test_a_writer_that_wrote_nothing_has_changed_nothing(files: SegmentFiles) -> None:
    writer = written(files, 0)
    assert writer.ends() == {}
    assert not writer.rollback()
    assert segment_numbers(files.directory) == []


def test_no_segment_follows_the_last_possible_one(
    files: SegmentFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy.store.writer.SEGMENT_COUNT_LIMIT", 1)
    with pytest.raises(SegmentDamagedError, match="no segment may follow"):
        written(files, 3)
