"""Memory follows the names of a tree, not its contents, and its shape costs nothing (B4)."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

import oxy
from oxy.actions.clone import clone
from tests.builders.exchange import Silent
from tests.builders.workshop import Workshop

FILES: Final = 48
MORE: Final = 16 << 20
"""Bytes of memory by which a tree of four times the content may cost more."""

RUN: Final = """
import sys
from oxy.cli.main import main
status = main()
with open("/proc/self/status") as file:
    peak = next(line for line in file if line.startswith("VmHWM"))
print(peak.split()[1], file=sys.stderr)
sys.exit(status)
"""


def peak(root: Path, *words: str) -> int:
    """Run a command in a process of its own and return the most bytes of memory that it had."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(Path(oxy.__file__).parents[1])},
        check=True,
        capture_output=True,
        text=True,
    )
    return int(done.stderr.split()[-1]) << 10


def grown(root: Path, megabytes: int) -> tuple[int, int]:
    """Return what a first commit and a clone cost of files of so many MB together."""
    work = root / "work"
    work.mkdir(parents=True)
    size = (megabytes << 20) // FILES
    for at in range(FILES):
        line = b"%d of a line that is told apart from all others\n" % at
        kind = b"\0" if at % 2 else b""
        (work / f"f{at:02}").write_bytes(kind + (line * (size // len(line) + 1))[:size])
    peak(root, "init", "work")
    committed = peak(work, "commit", "-m", "first", "--author", "Ada <ada@example.org>")
    return committed, peak(root, "clone", "work", "copy")


def test_four_times_the_content_takes_no_more_memory(tmp_path: Path) -> None:
    small, large = grown(tmp_path / "small", 12), grown(tmp_path / "large", 48)
    for before, after in zip(small, large, strict=True):
        assert after < before + MORE


def test_a_file_is_no_object_a_line_until_it_is_edited(tmp_path: Path) -> None:
    shop = Workshop(tmp_path)
    shop.commit("first", text="line\n" * 5000)
    with shop.repository() as repository:
        graph = repository.nodes.graph(1)
        assert [size for _, size, _ in graph.weave.runs()] == [5000]
    shop.commit("second", text="line\n" * 2500 + "new\n" + "line\n" * 2500)
    with shop.repository() as repository:
        graph = repository.nodes.graph(1)
        assert sorted(size for _, size, _ in graph.weave.runs()) == [1, 2500, 2500]


def deep(root: Path) -> str:
    """Make a file at every eighth of 512 levels, and return the path of the last."""
    path = ""
    for level in range(512):
        path += f"{level % 10}/"
        if level % 8 == 7:
            (root / path).mkdir(parents=True)
            (root / path / "f").write_text(f"{level}\n")
    return path + "f"


def wide(root: Path) -> str:
    """Make a directory of many files, and return the path of one."""
    (root / "wide").mkdir()
    for at in range(3000):
        (root / f"wide/{at}").write_text(f"{at}\n")
    return "wide/1500"


@pytest.mark.parametrize("make", [deep, wide])
def test_trees_of_any_shape_are_recorded_cloned_and_switched(
    tmp_path: Path, make: Callable[[Path], str]
) -> None:
    root = tmp_path / "work"
    shop = Workshop(root)
    path = make(root)
    shop.commit("first")
    assert shop.differs() == []
    shop.switch("main", "other")
    shop.write(path, "edited\n")
    assert shop.differs() == [(path.encode(), "modified")]
    shop.commit("second")
    shop.switch("main")
    first = shop.read(path)
    clone(bytes(root), bytes(tmp_path / "copy"), b"other", Silent())
    assert (tmp_path / "copy" / path).read_text() == "edited\n" != first
    other = Workshop.__new__(Workshop)
    other.root = tmp_path / "copy"
    assert other.differs() == []
