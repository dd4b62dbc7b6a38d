"""Texts put together from what they read before are what they would be anew."""

from itertools import product
from pathlib import Path

import pytest

from oxy.repo.nodes import Nodes
from oxy.repo.repository import Repository
from oxy.store.protocol import CHANGE
from oxy_git.reader import texts
from oxy_git.reader.texts import Texts
from oxy_git.verify import graphs
from oxy_git.verify.graphs import Graphs
from oxy_git.verify.run import verify
from tests.builders.bridge import Silent, brought
from tests.builders.gitcases import ALL, TEN, swapped
from tests.builders.gitrepo import GitRepo

NODE = 1
"""The number of the only file."""


def edited_often(git: GitRepo) -> None:
    """Make a history of one file in which lines come, go and come back."""
    commit, text = git.commit({b"a": TEN}), TEN
    for line in (0, 9, 4, 5, 3):
        text = swapped(text, b"%d" % line, b"new\n%d" % (line + 10))
        commit = git.commit({b"a": text}, commit)
    for data in (b"", TEN, text[4:], text[:-4], text):
        commit = git.commit({b"a": data}, commit)
    git.branch("main", commit)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    git = GitRepo(tmp_path / "git")
    edited_often(git)
    return brought(git)[0]


def test_a_text_is_the_same_whatever_it_read_before(repository: Repository) -> None:
    nodes = Nodes(repository.store, repository.states)
    spliced = Texts(nodes)
    changes = range(1, repository.store.count(CHANGE) + 1)
    for pair in product(changes, changes):
        for change in pair:
            reading = nodes.reading(NODE, repository.states.of_change(change))
            assert spliced.data(NODE, reading) == nodes.text(NODE, reading.spans())


def test_graphs_that_grow_are_those_of_the_changes_so_far(repository: Repository) -> None:
    nodes = Nodes(repository.store, repository.states)
    growing = Graphs(nodes)
    for change in range(1, repository.store.count(CHANGE) + 1):
        fresh = Graphs(nodes)
        held = growing.at(NODE, change)
        assert held.touched == fresh.at(NODE, change).touched
        assert list(held.touched) == list(range(1, change + 1))


@pytest.mark.parametrize("case", ["linear", "merge_of_three", "ours_whose_other_side_edited"])
def test_with_no_memory_to_spare_the_outcome_is_the_same(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graphs, "RUNS", 1)
    monkeypatch.setattr(texts, "BYTES", 1)
    git = GitRepo(tmp_path / "git")
    ALL[case](git)
    assert verify(brought(git)[0], Silent()).mismatches == ()
