"""An import that is killed at any moment goes on, and ends as one that was not (GB23)."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from shutil import rmtree
from time import monotonic
from typing import NamedTuple

import pytest

from oxy.cli.watching import Silent
from oxy.repo.fsck import fsck
from oxy.repo.refs import BOOKMARK, KEPT, TAG
from oxy.repo.repository import opened
from oxy.store.protocol import BLOB, CHANGE
from oxy_git.reader.ledger import every
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
    git.git("tag", "v1", tips[1])
    return git


def start(git: GitRepo, into: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", _WORK, "git", "import", str(git.root), str(into)]
    environment = {**isolated(), "OXY_AUTHOR": "Ada <ada@example.org>"}
    root = Path(__file__).resolve().parents[2]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, env=environment, cwd=root, stdout=quiet, stderr=quiet)


class Held(NamedTuple):
    """All that a repository holds, but for the operation log, which tells of each run.

    Attributes:
        changes: every change as it is stored, in the order of arrival.
        blobs: every blob, likewise.
        refs: by kind and name: the ids of what it holds, and the fields that it has.
        commits: the id of the change that each Git commit became.
    """

    changes: list[bytes]
    blobs: list[bytes]
    refs: dict[tuple[int, bytes], tuple[list[bytes], object]]
    commits: dict[bytes, bytes]


def held(root: Path) -> Held:
    """Return what a repository holds, once everything in it was proven."""
    with opened(bytes(root)) as repository:
        assert list(fsck(repository, Silent())) == []
        store = repository.store
        changes, blobs = (
            list(store.read_many(kind, range(1, store.count(kind) + 1)))
            for kind in (CHANGE, BLOB)
        )
        refs: dict[tuple[int, bytes], tuple[list[bytes], object]] = {}
        for kind in (BOOKMARK, TAG, KEPT):
            for name, target in repository.refs.all(kind):
                heads = sorted(store.ids_of(CHANGE, target.state.heads))
                refs[kind, name] = heads, target.extra
        commits = {oid: store.id_of(CHANGE, change) for oid, change in every(store)}
    return Held(changes, blobs, refs, commits)


def names(root: Path) -> set[str]:
    """Return the files in a repository that are not named by what they hold."""
    found = {
        str(path.relative_to(root)) for path in (root / ".oxy").rglob("*") if path.is_file()
    }
    return {name for name in found if "segments" not in name and not name.endswith("-journal")}


def test_a_killed_import_ends_as_one_that_was_not(git: GitRepo, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    began = monotonic()
    assert start(git, whole).wait() == 0
    took = monotonic() - began
    wanted, files = held(whole), names(whole)
    assert len(wanted.changes) == len(wanted.commits) == COMMITS + 1
    random = Random(23)  # noqa: S311 - when to kill is no secret
    kills = 0
    while kills < KILLS:
        process = start(git, broken)
        try:
            code = process.wait(random.uniform(0, took))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
        else:
            assert code == 0
            assert held(broken) == wanted
            assert names(broken) == files
            rmtree(broken)
    assert start(git, broken).wait() == 0
    assert held(broken) == wanted
    assert names(broken) == files
