import os
from pathlib import Path

import pytest

from bench.beside.run import Figure, run
from bench.beside.systems import OPERATIONS, SYSTEMS
from bench.beside.trees import Tree, deep, flat, heavy, like_source, long, wide, write
from bench.peers import shown

OURS = [system for system in SYSTEMS if system.name in {"oxy", "git"}]


def test_every_operation_runs_on_both_systems_that_are_always_there(tmp_path: Path) -> None:
    found = run(str(tmp_path), flat(20), OURS, 1)
    assert list(found) == list(OPERATIONS)
    for operation, figures in found.items():
        assert "git" in figures
        assert "oxy" in figures or operation == "clone with checkout"
        assert all(figure.seconds > 0 for figure in figures.values())


@pytest.mark.parametrize(
    ("tree", "files"),
    [
        (flat(12), 13),
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
    assert len(once) == files
    write(str(tmp_path), tree)
    assert all(os.path.isfile(tmp_path / path) for path in (tree.edited[0], tree.hot))


def test_what_a_system_cannot_do_is_shown_as_missing() -> None:
    figure = Figure(0.5, 0.4, 0.6, 0.1, 20, 3)
    told = shown(flat(1), ["oxy", "git"], {"check": {"git": figure}})
    assert "| check | - | 500 ± 100 |  | - | 20 |" in told
