"""An import that is killed at any moment goes on, and ends as one that was not (GB23)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from oxy.repo.refs import BOOKMARK
from oxy.repo.repository import opened
from oxy.store.protocol import CHANGE
from tests.builders.gitcases import TEN
from tests.builders.gitrepo import GitRepo, isolated

COMMITS = 80
KILLS = int(os.environ.get("OXY_KILLS", "4"))
_WORK = (
    "import sys\n"
    "from oxy.cli.main import main\n"
    "from oxy_git.importer import run\n"
    "run.BATCH = 7\n"
    "sys.exit(main(sys.argv[1:]))\n"
)


@pytest.fixture
def git(tmp_path: Path) -> GitRepo:
    """Return a Git repository of lines of work that part and meet."""
    git = GitRepo(tmp_path / "git", bare=True)
    lines = [TEN, TEN]
    tips = [git.commit({b"0": TEN, b"1": TEN})] * 2
    for step in range(COMMITS):
        at = step % 2
        lines[at] = b"%d\n" % step + lines[at] if step % 3 else lines[at] + b"%d\n" % step
        parents = tips if step % 7 == 0 else [tips[at]]
        tips[at] = git.commit({b"0": lines[0], b"1": lines[1]}, *dict.fromkeys(parents))
    git.branch("main", tips[0])
    git.branch("side", tips[1])
    return git


def start(git: GitRepo, into: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", _WORK, "git", "import", str(git.root), str(into)]
    environment = {**isolated(), "OXY_AUTHOR": "Ada <ada@example.org>"}
    root = Path(__file__).resolve().parents[2]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, env=environment, cwd=root, stdout=quiet, stderr=quiet)


def held(root: Path) -> tuple[list[bytes], dict[bytes, list[bytes]]]:
    """Return every change as it is stored, and what bookmarks hold, by id."""
    with opened(bytes(root)) as repository:
        store = repository.store
        numbers = range(1, store.count(CHANGE) + 1)
        bookmarks = {
            name: sorted(store.ids_of(CHANGE, list(target.state.heads)))
            for name, target in repository.refs.all(BOOKMARK)
        }
        return list(store.read_many(CHANGE, list(numbers))), bookmarks


def killed(git: GitRepo, into: Path, seconds: Iterator[float]) -> int:
    """Import, and kill it each time after so many seconds; return how often it was killed."""
    for count, wait in enumerate(seconds):
        process = start(git, into)
        try:
            assert process.wait(wait) == 0
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        else:
            return count
    assert start(git, into).wait() == 0
    return KILLS


def test_a_killed_import_ends_as_one_that_was_not(git: GitRepo, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    began = monotonic()
    assert start(git, whole).wait() == 0
    took = monotonic() - began
    random = Random(23)  # noqa: S311 - when to kill is no secret
    # The longer it goes, the more is done already, so that kills come all along the way.
    waits = (random.uniform(0, took) for _ in range(KILLS))
    assert killed(git, broken, waits) <= KILLS
    assert held(broken) == held(whole)
