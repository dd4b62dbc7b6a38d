"""Merges of what parents made of one file (spec: git-bridge, GB5, GB14, GB15)."""

from pathlib import Path
from typing import TypeAlias

import pytest

from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from oxy_git.verify.run import verify
from tests.builders.bridge import Silent, brought, change_of, ids, listed, shown
from tests.builders.gitrepo import Blob, GitRepo

History: TypeAlias = list[tuple[bytes | Blob, tuple[int, ...]]]
"""For each commit its file, and its parents by their places."""

LETTERS = b"x\ny\nz\n{\n}\n"
LINK = Blob(b"a", b"120000")
BINARY = b"x\0y"

TURNED_BY_THE_LAST: History = [
    (LETTERS, ()),
    (b"z\n{\nz\n", (0,)),
    (LINK, (1,)),
    (LETTERS, (1,)),
    (b"z\n}\n}\n{\nz\nx\n", (0,)),
    (b"z\n}\n}\n{\nz\nx\n", (4, 3, 2)),
]
TURNED_BACK: History = [
    (LETTERS, ()),
    (LINK, (0,)),
    (b"y\nz\n{\ny\n", (0,)),
    (b"y\nz\n{\ny\n", (1, 2)),
    (LETTERS, (3,)),
]
LINES_BENEATH: History = [
    (LETTERS, ()),
    (b"x\n}\ny\nz\n{\n}\n", (0,)),
    (BINARY, (0,)),
    (b"y\n{\n" + BINARY, (2, 1)),
    (BINARY + b"{\n", (3,)),
]
NOTHING_SHOWN: History = [
    (b"z\n}\nz\n{", ()),
    (BINARY, (0,)),
    (b"z\n}\nz\n{", (1,)),
    (b"z\n}\nz\n{", (1, 0)),
    (b"z\n}\nz\n{", (3, 2)),
    (BINARY, (2,)),
    (BINARY, (4,)),
    (b"}\n", (5, 6)),
]
EMPTY_AT_LAST: History = [
    (b"y\n}\n{\ny\nx\nx", ()),
    (b"}\n{\nx\n", (0,)),
    (b"y\n}\n{\ny\nx\nx", (0,)),
    (b"}\n{\nx\n", (2,)),
    (b"}", (1,)),
    (b"", (3,)),
    (b"", (5, 4)),
]
LF_BENEATH: History = [
    (LETTERS, ()),
    (b"}\n{\ny\n}\n}\n}", (0,)),
    (LETTERS, (0,)),
    (b"}\n{\ny\n}\n}\n} ", (2,)),
    (b"}\n{\ny\n}\n", (1,)),
    (LINK, (3,)),
    (LINK, (5, 4)),
]
HISTORIES = {
    "a text turned into a link by the last of three parents": TURNED_BY_THE_LAST,
    "a text turned into a link and back": TURNED_BACK,
    "lines beneath a binary": LINES_BENEATH,
    "a dispute of which nothing is shown": NOTHING_SHOWN,
    "an empty text whose final LF is in dispute": EMPTY_AT_LAST,
    "a link whose final LF is in dispute": LF_BENEATH,
}


def made(root: Path, history: History) -> tuple[GitRepo, list[str]]:
    git = GitRepo(root / "git")
    commits: list[str] = []
    for file, parents in history:
        named = [commits[parent] for parent in parents]
        message = b"%d\n" % len(commits)
        commits.append(git.commit({b"f": file}, *named, message=message))
    git.branch("main", commits[-1])
    return git, commits


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES.keys())
def test_a_merge_of_what_parents_made_of_a_file_reads_as_git_has_it(
    tmp_path: Path, history: History
) -> None:
    git, commits = made(tmp_path, history)
    repository, _ = brought(git)
    for commit in commits:
        change = change_of(repository, commit)
        assert shown(repository, change) == listed(git, commit)
        tree = tree_of(repository, Name((change,)))
        assert [entry.disputed for _, entry in files(tree)] == [0]
    assert verify(repository, Silent()).mismatches == ()


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES.keys())
def test_a_history_that_is_brought_a_commit_at_a_time_has_the_same_ids(
    tmp_path: Path, history: History
) -> None:
    git, commits = made(tmp_path, history)
    repository, _ = brought(git)
    stepwise, _ = brought(git, limit=1)
    for count in range(2, len(commits) + 1):
        brought(git, stepwise, limit=count)
    assert ids(stepwise, git) == ids(repository, git)
