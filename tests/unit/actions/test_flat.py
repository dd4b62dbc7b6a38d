"""What a command reads follows what it touches, not tree nor history (CP10, CP21)."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from oxy.actions.blame import blame
from oxy.actions.checkpoint import checkpoint
from oxy.actions.commit import Request, commit
from oxy.actions.diff import between
from oxy.actions.init import init
from oxy.actions.merge import merge
from oxy.actions.show import show
from oxy.actions.switch import switch
from oxy.cli.watching import Silent
from oxy.repo.cache import Cache
from oxy.repo.repository import opened
from oxy.repo.states import Name
from oxy.store.database import Database, Row, Value
from oxy.store.protocol import CHANGE
from oxy.worktree.workcopy import working_copy

BESIDE = 5
"""Files in a directory."""

NEAR = 6
"""Statements more that a command may need where files are far from each other."""

SLACK = 40
"""Statements more that a hundred changes may cost: where rows are read in pages, and what lies
between one state that is kept whole and the next."""


def record(root: Path, *paths: str) -> None:
    """Record what changed at some paths, or everywhere."""
    with working_copy(bytes(root)) as copy:
        asked = Request(tuple(map(str.encode, paths)), b"Ada <a@x>")
        assert commit(copy, asked, lambda _: b"m").id


def built(root: Path, directories: int, changes: int) -> Path:
    """Make many files, some changes to one of them, and two bookmarks with some edits each."""
    root.mkdir()
    init(bytes(root))
    for number in range(directories):
        (root / f"d{number}").mkdir()
        for each in range(BESIDE):
            (root / f"d{number}" / f"f{each}").write_text(f"{number} {each}\na\nb\nc\nd\n")
    record(root)
    for number in range(changes):
        (root / "d0" / "f0").write_text(f"{number}\na\nb\nc\nd\n")
        record(root, "d0/f0")
    for name in ("left", "right"):
        with working_copy(bytes(root)) as copy:
            switch(copy, b"main", create=name.encode())
        for number in range(3):
            path = root / f"d{number}" / ("f1" if name == "left" else "f2")
            path.write_text(path.read_text() + f"{name}\n")
            record(root, f"d{number}/{path.name}")
    return root


def merged(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        merge(copy, [b"right"])


def switched(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        switch(copy, b"left")


def committed(root: Path) -> None:
    (root / "d1" / "f4").write_text("other\n")
    record(root, "d1/f4")


def newest(root: Path) -> int:
    with opened(bytes(root)) as repository:
        return repository.store.count(CHANGE)


def compared(root: Path) -> None:
    last = newest(root)
    with opened(bytes(root)) as repository:
        assert len(list(between(repository, Name((last - 3,)), Name((last,))))) == 6


def shown(root: Path) -> None:
    with opened(bytes(root)) as repository:
        assert len(list(show(repository, newest(root)))) == 1


def blamed(root: Path) -> None:
    with opened(bytes(root)) as repository:
        assert blame(repository, Name((newest(root),)), b"d1/f2")


def kept(root: Path) -> None:
    with opened(bytes(root)) as repository:
        checkpoint(repository, Name((newest(root),)), Silent())


WORKS = {
    "diff of states": compared,
    "show": shown,
    "blame": blamed,
    "switch": switched,
    "merge": merged,
    "commit of a path": committed,
    "checkpoint": kept,
}


def read(work: Callable[[Path], None], root: Path) -> Counter[str]:
    """Return how many rows of the cache and statements of the index a command asks for."""
    asked: Counter[str] = Counter()
    get, every, one = Cache.get, Database.all, Database.one

    def getting(self: Cache, table: int, key: bytes) -> bytes | None:
        asked["cache"] += 1
        return get(self, table, key)

    def all_of(self: Database, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        asked["statements"] += 1
        found = every(self, statement, values)
        asked["rows"] += len(found)
        return found

    def one_of(self: Database, statement: str, values: Sequence[Value] = ()) -> Row | None:
        asked["statements"] += 1
        return one(self, statement, values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cache, "get", getting)
        patch.setattr(Database, "all", all_of)
        patch.setattr(Database, "one", one_of)
        work(root)
    return asked


@pytest.fixture(scope="module")
def sizes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Counter[str]]]:
    """Return what each command asks for, of a repository with few and with many files."""
    place = tmp_path_factory.mktemp("flat")
    found: dict[str, dict[str, Counter[str]]] = {}
    for called, directories, changes in (("few", 6, 5), ("files", 60, 5), ("history", 6, 105)):
        root = built(place / called, directories, changes)
        read(kept, root)
        found[called] = {name: read(work, root) for name, work in WORKS.items()}
    return found


@pytest.mark.parametrize("name", WORKS)
def test_ten_times_as_many_files_are_not_looked_at(
    sizes: dict[str, dict[str, Counter[str]]], name: str
) -> None:
    few, many = sizes["few"][name], sizes["files"][name]
    assert many["cache"] == few["cache"]
    # Nodes that are near each other are read as a range, those that are not one by one.
    assert many["statements"] <= few["statements"] + NEAR
    assert many["rows"] <= few["rows"] + NEAR


@pytest.mark.parametrize("name", WORKS)
def test_a_longer_history_is_not_looked_at(
    sizes: dict[str, dict[str, Counter[str]]], name: str
) -> None:
    few, many = sizes["few"][name], sizes["history"][name]
    assert many["cache"] <= few["cache"] + SLACK
    assert many["statements"] <= few["statements"] + SLACK
