"""What came from Git goes back to it, byte for byte; what is new becomes commits."""

from pathlib import Path

import pytest

from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.states import Name
from oxy.repo.writing import writing
from oxy_git.exporter.refs import AHEAD
from tests.builders.bridge import brought, stamp
from tests.builders.gitcases import ALL
from tests.builders.gitrepo import GitRepo
from tests.builders.outward import exported, objects, refs, sent


@pytest.mark.parametrize("case", ALL)
def test_every_object_of_a_history_comes_back(case: str, tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    ALL[case](git)
    repository, _ = brought(git)
    back = exported(repository, tmp_path / "back")
    assert refs(back) == refs(git)
    assert objects(back) == objects(git)


@pytest.mark.parametrize("case", ["crossed_merges", "file_and_directory", "withheld_paths"])
def test_an_export_goes_on_where_another_ended(case: str, tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    ALL[case](git)
    whole, report = brought(git)
    step, _ = brought(git, limit=1)
    back = GitRepo(tmp_path / "back", bare=True)
    for limit in range(2, report.commits + 1):
        brought(git, step, limit)
        with writing(step, stamp()) as work:
            work.move(Ref(BOOKMARK, b"so-far"), Target(Name((limit,))))
        sent(step, back, b"so-far", force=True)
    assert sent(whole, back).added <= 1
    assert objects(back) >= objects(git)


def test_an_export_that_has_nothing_new_sends_nothing(tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    ALL["evil_merge"](git)
    repository, _ = brought(git)
    back = exported(repository, tmp_path / "back")
    report = sent(repository, back)
    assert (report.added, report.objects, report.refs) == (0, 0, ((), ()))


def test_a_branch_that_has_more_is_left_alone(tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    ALL["linear"](git)
    repository, _ = brought(git)
    back = exported(repository, tmp_path / "back")
    tip = back.git("rev-parse", "main").decode().strip()
    more = back.commit({b"f": b"more\n"}, tip)
    back.git("update-ref", "refs/heads/main", more)
    assert sent(repository, back).refs.refused == ((b"refs/heads/main", AHEAD),)
    assert back.git("rev-parse", "main").decode().strip() == more
    assert sent(repository, back, force=True).refs.moved == (b"refs/heads/main",)
    assert back.git("rev-parse", "main").decode().strip() == tip
