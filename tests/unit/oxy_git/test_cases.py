"""Every kind of history that Git can hold comes in, reads the same, and proves."""

from pathlib import Path

import pytest
from msgpack import unpackb

from oxy_git.reader.extra import BLOBS
from oxy_git.reader.trees import plain_mode
from oxy_git.verify.run import verify
from tests.builders.bridge import Listing, Silent, brought, change_of, ids, listed, shown
from tests.builders.gitcases import ALL
from tests.builders.gitrepo import GitRepo


def expected(git: GitRepo, commit: str, withheld: set[bytes]) -> Listing:
    return {
        path: (plain_mode(mode), oid)
        for path, (mode, oid) in listed(git, commit).items()
        if path not in withheld
    }


@pytest.mark.parametrize("case", ALL)
def test_every_commit_of_a_history_reads_as_git_has_it(case: str, tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    ALL[case](git)
    repository, report = brought(git)
    commits = git.git("rev-list", "--all").decode().split()
    assert report.commits == len(commits) > 0
    withheld = set(report.tally.withheld)
    for commit in commits:
        wanted = expected(git, commit, withheld)
        assert shown(repository, change_of(repository, commit)) == wanted
    found = verify(repository, Silent())
    assert found.mismatches == ()
    assert found.commits == len(commits)


@pytest.mark.parametrize("case", ALL)
def test_commit_by_commit_the_changes_are_the_same(case: str, tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    ALL[case](git)
    whole, report = brought(git)
    stepwise, _ = brought(git, limit=1)
    for limit in range(2, report.commits + 1):
        _, step = brought(git, stepwise, limit)
        assert (step.commits, step.already) == (1, limit - 1)
    assert ids(stepwise, git) == ids(whole, git)


def test_what_is_withheld_is_kept_once(tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    ALL["withheld_paths"](git)
    repository, _ = brought(git)
    kept: list[list[bytes]] = []
    for number in range(1, 4):
        fields = dict(repository.header(number).extra)
        kept.append(sorted(unpackb(fields.get(BLOBS, b"\x90"))))
    assert kept == [[b"x\n", b"y\n", b"z\n"], [b"edited\n"], []]
