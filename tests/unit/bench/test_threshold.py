from pathlib import Path

import pytest

from bench.measuring.machine import RamDiskError
from bench.threshold.curves import CURVES
from bench.threshold.run import grown, is_ok, run
from bench.threshold.size import Size
from tests.builders.benchrecord import record, row

ROWS = [
    "commit of all files",
    "commit of one file, beyond the walk",
    "status clean",
    "status with 10 modified",
    "commit of 10 files",
    "log of the whole bookmark",
    "blame of the hot file",
    "blame of an ordinary file",
    "checkpoint",
    "status after it",
    "push of everything to an empty remote",
    "push when up to date",
    "clone with checkout",
    "fsck",
    "gc",
    "status after gc",
]


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
    monkeypatch.setattr("bench.measuring.machine.file_system", lambda _: "tmpfs")
    asked = {"OXY_BENCH_DIR": str(tmp_path)}
    with pytest.raises(RamDiskError):
        Size.asked(asked)
    assert Size.asked(asked | {"OXY_BENCH_RAM": "1"}).place == str(tmp_path)


def test_a_tiny_run_measures_every_row_and_leaves_nothing(tmp_path: Path) -> None:
    found = run(Size(40, 12, str(tmp_path)))
    assert list(tmp_path.iterdir()) == []
    assert [each.operation for each in found.rows] == ROWS
    verdicts = {each.operation: each.verdict for each in found.rows}
    missing = [name for name, verdict in verdicts.items() if verdict == "not built"]
    assert missing == []
    bounded = [each for each in found.rows if each.bound is not None]
    assert len(bounded) == 11
    assert all(each.ratio for each in bounded)
    assert found.peak > 0
    assert not is_ok(found)


def test_growth_is_measured_at_every_size(tmp_path: Path) -> None:
    found = grown([Size(4, 2, str(tmp_path)), Size(4, 3, str(tmp_path))])
    names = [*ROWS, *(step.name for step in CURVES)]
    assert [each.operation for each in found.rows] == names * 2
    changes = [each.sizes["changes"] for each in found.rows]
    assert changes == [2] * len(names) + [3] * len(names)
    assert found.arms == ["library"]


def test_a_run_is_ok_only_if_every_row_and_the_memory_are() -> None:
    good, bad = row({"library": 1}, threshold=2), row({"library": 3}, threshold=2)
    assert is_ok(record([good]))
    assert not is_ok(record([good])._replace(peak=201))
    assert not is_ok(record([good, bad]))
    assert not is_ok(record([good, row({}, threshold=2)]))
