"""A directory as a store of objects (spec: sync, SY22, SY94)."""

import os
from io import BytesIO
from pathlib import Path

import pytest

from oxy.sync import limits
from oxy.sync.bucket.bucket import Bucket
from oxy.sync.bucket.collecting import collect
from oxy.sync.bucket.directory import Directory
from oxy.sync.bucket.objects import DeniedError, NoBucketError
from oxy.sync.errors import LostError
from tests.builders.bucket import pushed, wish
from tests.builders.exchange import Silent
from tests.builders.team import Desk


class Failing:
    """A file of which the second read fails."""

    def __init__(self) -> None:
        self.reads = 0

    def read(self, size: int) -> bytes:
        self.reads += 1
        if self.reads > 1:
            raise OSError(5, "Input/output error")
        return b"x" * min(size, 9)

    def close(self) -> None:
        """Read no more."""


def files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def test_it_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(NoBucketError, match="there is no bucket at"):
        Directory(os.fsencode(tmp_path / "none"))


def test_what_cannot_be_written_whole_leaves_nothing(tmp_path: Path) -> None:
    objects = Directory(os.fsencode(tmp_path))
    with pytest.raises(LostError, match="Input/output error"):
        objects.create("oxy/ab/c", Failing(), 18)
    assert files(tmp_path) == []


def test_who_creates_second_leaves_nothing_beside(tmp_path: Path) -> None:
    objects = Directory(os.fsencode(tmp_path))
    assert objects.create("oxy/ab/c", BytesIO(b"1"), 1)
    assert not objects.create("oxy/ab/c", BytesIO(b"2"), 1)
    assert files(tmp_path) == ["oxy/ab/c"]


def test_what_is_in_the_way_is_told(tmp_path: Path) -> None:
    objects = Directory(os.fsencode(tmp_path))
    (tmp_path / "oxy").write_text("")
    with pytest.raises(LostError, match=r"Not a directory|File exists"):
        objects.create("oxy/ab/c", BytesIO(b"1"), 1)
    assert objects.open("oxy/ab/c") is None
    assert list(objects.names("oxy/ab")) == []


def test_a_directory_that_is_not_ours_is_denied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "there")

    monkeypatch.setattr(os, "link", refuse)
    objects = Directory(os.fsencode(tmp_path))
    with pytest.raises(DeniedError, match=r"Permission denied \(there\)"):
        objects.create("oxy/ab/c", BytesIO(b"1"), 1)
    assert files(tmp_path) == []


def test_what_a_killed_writer_left_beside_goes_after_the_grace(tmp_path: Path) -> None:
    objects = Directory(os.fsencode(tmp_path))
    ada = Desk(objects, b"a")
    ada.commit()
    bucket = Bucket(objects, ada.repository)
    pushed(bucket, ada.repository, wish(ada.repository, b"main", ada.state, None))
    there = files(tmp_path)
    left = tmp_path / "oxy/log/00000000000000000002.0123.part"
    for age, stays in ((limits.GRACE - 60, True), (limits.GRACE + 60, False)):
        left.write_text("half")
        then = left.stat().st_mtime - age
        os.utime(left, (then, then))
        collect(objects, limits.GRACE, Silent())
        assert left.exists() == stays
    assert files(tmp_path) == sorted([*there, "oxy/newest"])
