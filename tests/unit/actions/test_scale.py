"""Memory follows the names of a tree, not its contents, and its shape costs nothing (B4)."""

import filecmp
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

LIMIT: Final = 64 << 20
"""Bytes of memory that a process may ask for."""

FILES: Final = 12
SIZE: Final = 8 << 20
"""Bytes of a file; all together are half as much again as the limit."""

RUN: Final = """
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv.pop(1)),) * 2)
from oxy.cli.main import main
sys.exit(main())
"""


def limited(root: Path, *words: str) -> None:
    """Run a command in a process that may not have more memory than the limit."""
    subprocess.run(
        [sys.executable, "-c", RUN, str(LIMIT), *words],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(Path(oxy.__file__).parents[1])},
        check=True,
        capture_output=True,
    )


def test_a_tree_larger_than_memory_is_recorded_and_checked_out(tmp_path: Path) -> None:
    work, copy = tmp_path / "work", tmp_path / "copy"
    work.mkdir()
    for at in range(FILES):
        data = b"%d of a line that is told apart from all others\n" % at
        kind = b"\0" if at % 2 else b""
        (work / f"f{at}").write_bytes(kind + data * (SIZE // len(data)))
    assert sum(file.stat().st_size for file in work.iterdir()) > LIMIT
    limited(work, "init")
    limited(work, "commit", "-m", "first", "--author", "Ada <ada@example.org>")
    limited(tmp_path, "clone", "work", "copy")
    assert all(
        filecmp.cmp(work / f"f{at}", copy / f"f{at}", shallow=False) for at in range(FILES)
    )


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
    for at in range(1000):
        (root / f"wide/{at}").write_text(f"{at}\n")
    return "wide/500"


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
