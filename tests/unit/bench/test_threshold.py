from pathlib import Path

import pytest

from bench.threshold.run import Report, Result, run
from bench.threshold.size import RamDiskError, Size, file_system


def test_the_size_and_the_place_are_what_the_environment_says(tmp_path: Path) -> None:
    asked = {
        "OXY_BENCH_FILES": "7",
        "OXY_BENCH_CHANGES": "3",
        "OXY_BENCH_DIR": str(tmp_path),
        "OXY_BENCH_RAM": "1",
    }
    assert Size.asked(asked) == Size(7, 3, str(tmp_path))


def test_a_ram_disk_is_refused_unless_it_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.threshold.size.file_system", lambda _: "tmpfs")
    asked = {"OXY_BENCH_DIR": str(tmp_path)}
    with pytest.raises(RamDiskError):
        Size.asked(asked)
    assert Size.asked(asked | {"OXY_BENCH_RAM": "1"}).place == str(tmp_path)


def test_a_path_is_on_the_innermost_file_system(tmp_path: Path) -> None:
    table = tmp_path / "mounts"
    inner = tmp_path / "in side"
    inner.mkdir()
    spaced = str(inner).replace(" ", "\\040")
    table.write_text(f"a / ext4 rw 0 0\nb {spaced} tmpfs rw 0 0\nc {tmp_path} xfs rw 0 0\n")
    assert file_system(str(inner / "x"), str(table)) == "tmpfs"
    assert file_system(str(tmp_path), str(table)) == "xfs"
    assert file_system("/", str(table)) == "ext4"


def test_a_tiny_run_measures_every_row(tmp_path: Path) -> None:
    report = run(Size(40, 12, str(tmp_path)))
    assert list(tmp_path.iterdir()) == []
    assert {row.name for row in report.rows} >= {
        "status clean",
        "fsck",
        "blame of the hot file",
    }
    assert all(row.ms is None or row.ms > 0 for row in report.rows)
    assert "12 changes" in report.text()


def row(ms: float | None, ratio: float | None = None) -> Result:
    return Result("a row", 10, ms, 0, 50, 3, ratio)


def test_a_row_is_ok_only_under_its_threshold_and_its_bound() -> None:
    assert row(9, 2.9).verdict == "ok"
    assert row(11, 2.9).verdict == "over"
    assert row(9, 3.1).verdict == "over"
    assert row(None).verdict == "not built"


def test_a_report_is_ok_only_if_every_row_and_the_memory_are() -> None:
    report = Report(Size(1, 1, ""), (row(9),), 1, 199, 1, 1)
    assert report.is_ok
    assert not report._replace(peak=201).is_ok
    assert not report._replace(rows=(row(9), row(11))).is_ok
