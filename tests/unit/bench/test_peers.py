import os
from pathlib import Path

import pytest

from bench.beside.bounds import bound
from bench.beside.operations import CHECK, CLEAN, CLONE, FIRST, ONE, OPERATIONS
from bench.beside.run import Bench, WrongError, run
from bench.beside.systems import SYSTEMS
from bench.beside.trees import TREES, Tree, deep, flat, heavy, like_source, long, wide, write

PAIR = [system for system in SYSTEMS if system.name in {"oxy", "git"}]


def test_every_operation_runs_on_both_systems_that_are_always_there(tmp_path: Path) -> None:
    found = run(Bench(str(tmp_path), flat(20), PAIR), 3, 1)
    assert list(found) == [FIRST, "commit of one file, after 3", *OPERATIONS[1:]]
    for figures in found.values():
        assert set(figures) == {"oxy", "git"}
        assert all(figure.median > 0 for figure in figures.values())
    assert found["commit of one file, after 3"]["oxy"].rounds == 3


@pytest.mark.parametrize("kind", sorted(TREES.keys() - {"flat", "heavy"}))
def test_every_kind_of_tree_can_be_recorded_edited_and_cloned(
    tmp_path: Path, kind: str
) -> None:
    found = run(Bench(str(tmp_path), TREES[kind](12), PAIR), 0, 1, [ONE, CLONE])
    assert list(found) == [FIRST, ONE, CLONE]


@pytest.mark.parametrize(
    ("tree", "files"),
    [
        (flat(12), 12),
        (wide(30), 30),
        (deep(20), 20),
        (heavy(2, 1000), 12),
        (long(50), 1),
        (like_source(12), 12),
    ],
    ids=lambda value: value.name if isinstance(value, Tree) else str(value),
)
def test_a_tree_is_the_same_every_time_and_holds_what_is_edited(
    tree: Tree, files: int, tmp_path: Path
) -> None:
    once, again = dict(tree.files()), dict(tree.files())
    assert once == again
    assert len(once) == tree.sizes["files"] == files
    assert len(set(tree.edited)) == min(10, files)
    write(str(tmp_path), tree)
    assert all(os.path.isfile(tmp_path / path) for path in tree.edited)


def test_a_status_that_shows_what_it_should_not_is_no_figure(tmp_path: Path) -> None:
    bench = Bench(str(tmp_path), flat(3), PAIR)
    bench.first_commits(1)
    (tmp_path / "oxy-0" / flat(3).edited[0]).write_text("edited\n")
    with pytest.raises(WrongError, match="oxy, status, clean: 1 files"):
        bench.figures(CLEAN, 1)


def test_the_bound_of_status_is_lower_in_many_files() -> None:
    assert bound(CLEAN, 10_000) == 3
    assert bound(CLEAN, 100_000) == 1.5
    assert bound(CHECK, 100_000) == 3
    assert bound(ONE, 10) is None


def test_what_takes_too_long_is_done_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.beside.run.PATIENCE", 0)
    bench = Bench(str(tmp_path), flat(3), PAIR)
    bench.first_commits(1)
    found = bench.figures(CLEAN, 5)
    assert [figure.rounds for figure in found.values()] == [1, 1]
