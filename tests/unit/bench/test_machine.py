from pathlib import Path

import pytest

from bench.measuring.machine import RamDiskError, disk, file_system, machine, versions


def test_a_path_is_on_the_innermost_file_system(tmp_path: Path) -> None:
    table = tmp_path / "mounts"
    inner = tmp_path / "in side"
    inner.mkdir()
    spaced = str(inner).replace(" ", "\\040")
    table.write_text(f"a / ext4 rw 0 0\nb {spaced} tmpfs rw 0 0\nc {tmp_path} xfs rw 0 0\n")
    assert file_system(str(inner / "x"), str(table)) == "tmpfs"
    assert file_system(str(tmp_path), str(table)) == "xfs"
    assert file_system("/", str(table)) == "ext4"
    assert file_system("/", str(tmp_path / "none")) == ""


def test_a_ram_disk_is_refused_unless_it_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.measuring.machine.file_system", lambda _: "tmpfs")
    with pytest.raises(RamDiskError, match="/shm is a RAM disk"):
        disk("/shm")
    assert disk("/shm", is_ram_meant=True) == "/shm"


def test_the_machine_is_told_with_its_file_system(tmp_path: Path) -> None:
    found = machine(str(tmp_path))
    assert set(found) == {"cores", "processor", "memory", "system", "file system"}
    assert all(found.values())


def test_versions_are_numbers_of_what_is_there() -> None:
    found = versions()
    assert {"python", "oxy", "git"} <= set(found)
    assert all(version[0].isdigit() for version in found.values())
