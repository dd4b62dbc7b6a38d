import os
import stat
from pathlib import Path

import pytest

from oxy.worktree import manifest as module
from oxy.worktree.listing import RECORD
from oxy.worktree.manifest import Manifest, file_system_clock
from oxy.worktree.row import DIGEST_SIZE, KEY_SIZE, Entry, Row


def made(path: bytes, *names: bytes, size: int = 1) -> Row:
    record = RECORD.pack(size, 2, 3, 4, 0o100644)
    entries = [Entry(name, record, b"k" * KEY_SIZE, b"d" * DIGEST_SIZE) for name in names]
    return Row.of(path, entries, 99)


def rows(manifest: Manifest) -> dict[bytes, Row | None]:
    return {directory: manifest.row(directory) for directory in manifest.directories()}


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> bytes:
    return os.fsencode(tmp_path / "manifest")


def write(path: bytes) -> dict[bytes, Row | None]:
    manifest = Manifest.load(path)
    assert manifest.update([made(b"", b"a", b"b"), made(b"sub/deep", b"c")], [], b"state 1")
    return rows(manifest)


def test_what_was_written_is_read_back(path: bytes) -> None:
    written = write(path)
    manifest = Manifest.load(path)
    assert manifest.state == b"state 1"
    assert rows(manifest) == written
    assert manifest.row(b"sub/deep") == made(b"sub/deep", b"c")
    assert manifest.row(b"sub") is None


def test_a_manifest_says_what_is_tracked(path: bytes) -> None:
    write(path)
    manifest = Manifest.load(path)
    assert manifest.names(b"") == b"a\0b"
    assert manifest.names(b"sub") == b""
    assert [manifest.holds(d) for d in (b"", b"sub", b"sub/deep", b"su")] == [True] * 3 + [
        False
    ]
    manifest.update([], [b"sub/deep"], b"state 2")
    assert not manifest.holds(b"sub")


@pytest.mark.parametrize(
    "content", [None, b"", b"oxyman1\n", b"x" * 500, b"oxyman1\n" + b"\0" * 99]
)
def test_an_absent_or_foreign_file_knows_nothing(path: bytes, content: bytes | None) -> None:
    if content is not None:
        Path(os.fsdecode(path)).write_bytes(content)
    manifest = Manifest.load(path)
    assert manifest.state is None
    assert rows(manifest) == {}
    assert write(path) == rows(Manifest.load(path))


def test_only_changed_rows_are_written(path: bytes) -> None:
    Manifest.load(path).update([made(b"%d" % i, b"a", b"b") for i in range(50)], [], b"1")
    before = Path(os.fsdecode(path)).read_bytes()
    Manifest.load(path).update([made(b"7", b"a", b"b", size=9)], [b"8"], b"2")
    after = Path(os.fsdecode(path)).read_bytes()
    assert after.startswith(before)
    assert len(after) - len(before) < 400
    manifest = Manifest.load(path)
    assert manifest.row(b"7") == made(b"7", b"a", b"b", size=9)
    assert manifest.row(b"8") is None
    assert len(rows(manifest)) == 49


def test_an_empty_row_is_forgotten(path: bytes) -> None:
    write(path)
    Manifest.load(path).update([made(b"sub/deep")], [], b"2")
    assert Manifest.load(path).row(b"sub/deep") is None


def test_a_file_that_is_mostly_out_of_date_is_written_anew(
    path: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SLACK", 0)
    manifest = Manifest.load(path)
    sizes = []
    for turn in range(50):
        assert manifest.update([made(b"", b"a", size=turn)], [], b"%d" % turn)
        sizes.append(os.stat(path).st_size)
    assert max(sizes) < 500
    reread = Manifest.load(path)
    assert reread.state == b"49"
    assert reread.row(b"") == made(b"", b"a", size=49)
    assert os.listdir(os.path.dirname(path)) == [b"manifest"]


def test_every_flipped_byte_and_every_cut_falls_back_to_what_was_whole(path: bytes) -> None:
    file = Path(os.fsdecode(path))
    first = write(path)
    boundary = file.stat().st_size
    manifest = Manifest.load(path)
    manifest.update([made(b"sub/deep", b"c", b"d")], [], b"state 2")
    whole = file.read_bytes()
    for at in range(len(whole)):
        for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :]):
            file.write_bytes(damaged)
            read = Manifest.load(path)
            known = (b"state 1", first) if at >= boundary else (None, {})
            assert (read.state, rows(read)) == known


def test_a_damaged_tail_is_replaced_by_the_next_update(path: bytes) -> None:
    write(path)
    with open(path, "ab") as file:
        file.write(b"torn")
    Manifest.load(path).update([made(b"x", b"y")], [], b"2")
    manifest = Manifest.load(path)
    assert manifest.state == b"2"
    assert sorted(manifest.directories()) == [b"", b"sub/deep", b"x"]


def test_of_two_writers_the_later_one_wins_whole(path: bytes) -> None:
    write(path)
    one, other = Manifest.load(path), Manifest.load(path)
    one.update([made(b"one", b"a")], [], b"one")
    other.update([made(b"other", b"a")], [], b"other")
    manifest = Manifest.load(path)
    assert manifest.state == b"other"
    assert sorted(manifest.directories()) == [b"", b"other", b"sub/deep"]


def test_a_frame_behind_another_than_its_own_does_not_count(path: bytes) -> None:
    file = Path(os.fsdecode(path))
    write(path)
    base = file.read_bytes()
    Manifest.load(path).update([made(b"one", b"a")], [], b"one")
    one = file.read_bytes()[len(base) :]
    file.write_bytes(base)
    Manifest.load(path).update([made(b"other", b"a")], [], b"other")
    with open(path, "ab") as appended:
        appended.write(one)
    assert Manifest.load(path).state == b"other"


def test_a_cache_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path / "no" / "such" / "manifest")
    manifest = Manifest.load(path)
    assert not manifest.update([made(b"", b"a")], [], b"1")
    assert manifest.row(b"") == made(b"", b"a")
    assert file_system_clock(path) == 0


def test_a_short_write_is_seen_and_repaired(
    path: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(path)
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[:5]))
    assert Manifest.load(path).update([made(b"x", b"y")], [], b"2")
    assert Manifest.load(path).state == b"2"


def test_the_clock_is_that_of_new_files(path: bytes, tmp_path: Path) -> None:
    before = file_system_clock(path)
    (tmp_path / "file").touch()
    written = (tmp_path / "file").stat().st_mtime_ns
    assert before <= written <= file_system_clock(path)


def test_the_manifest_obeys_the_umask(path: bytes) -> None:
    old = os.umask(0o077)
    try:
        write(path)
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
