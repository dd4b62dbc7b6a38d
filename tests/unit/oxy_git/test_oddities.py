"""Every oddity of public repositories comes in, proves, and goes out with its ids (GB20)."""

import os
from shutil import rmtree
from typing import NamedTuple

import pytest

from oxy.repo.refs import BOOKMARK
from oxy.repo.repository import Repository
from oxy_git.importer.run import Report
from oxy_git.verify.result import Verification
from oxy_git.verify.run import verify
from tests.builders.bridge import Silent, brought, change_of, listed, shown
from tests.builders.gitrepo import GitRepo
from tests.builders.oddities import DEEP, NAMED, ODDITIES, WITHHELD_NAMES, made
from tests.builders.outward import exported


class Trip(NamedTuple):
    """A repository of oddities, what came in, what was proven, and what went out."""

    git: GitRepo
    repository: Repository
    report: Report
    verification: Verification
    back: GitRepo


@pytest.fixture(scope="module")
def trip(tmp_path_factory: pytest.TempPathFactory) -> Trip:
    root = tmp_path_factory.mktemp("oddities")
    git = made(GitRepo(root / "git", bare=True))
    repository, report = brought(git)
    # From here on the git of the tests, too, sees what is there.
    (git.store / "info" / "grafts").unlink()
    rmtree(git.store / "refs" / "replace")
    return Trip(
        git,
        repository,
        report,
        verify(repository, Silent()),
        exported(repository, root / "back"),
    )


def beneath(git: GitRepo, name: str) -> list[bytes]:
    """Return what a ref holds, and the ids of all objects that it leads to."""
    full = os.fsdecode(name.encode("utf-8", "surrogateescape"))
    held = git.git("rev-parse", full)
    words = ("rev-list", "--objects", "--no-object-names", "--end-of-options", full)
    return [held, *sorted(git.git("--no-replace-objects", *words).split())]


@pytest.mark.parametrize("name", ODDITIES)
def test_every_object_id_comes_back(trip: Trip, name: str) -> None:
    assert beneath(trip.back, name) == beneath(trip.git, name)


def test_everything_proves(trip: Trip) -> None:
    assert trip.verification.mismatches == ()
    assert trip.verification.commits == trip.report.commits
    assert trip.verification.tags > 10


def test_no_ref_is_skipped_and_those_of_other_kinds_are_named(trip: Trip) -> None:
    assert trip.report.refs.skipped == ()
    child = trip.git.git("rev-parse", "refs/heads/main").strip()
    assert trip.report.passed == (
        (b"refs/pull/", 2, b"refs/pull/1/head"),
        (b"refs/replace/", 1, b"refs/replace/" + child),
        (b"refs/stash", 1, b"refs/stash"),
        (b"refs/weird/", 1, b"refs/weird/tag"),
    )


def test_what_no_file_may_be_called_is_withheld_and_named(trip: Trip) -> None:
    deep = b"d/" * DEEP + b"f"
    assert trip.report.tally.withheld == {
        **dict.fromkeys(WITHHELD_NAMES, "contains a control byte"),
        b"..": "is . or ..",
        b".GIT/f": "is a spelling of .oxy or .git",
        b".git": "is a spelling of .oxy or .git",
        b"a\\.git": "is a spelling of .oxy or .git between backslashes",
        b"d": "has the name of a directory",
        deep: "is deeper than 600 directories",
    }


@pytest.mark.parametrize("name", [name for name in ODDITIES if name.startswith("refs/heads/")])
def test_every_branch_reads_as_git_has_it(trip: Trip, name: str) -> None:
    full = os.fsdecode(name.encode("utf-8", "surrogateescape"))
    commit = trip.git.git("rev-parse", full).decode().strip()
    withheld = trip.report.tally.withheld
    wanted = {
        path: oid
        for path, (_, oid) in listed(trip.git, commit).items()
        if path not in withheld or (path == b"d" and "twice" not in name)
    }
    found = shown(trip.repository, change_of(trip.repository, commit))
    assert {path: oid for path, (_, oid) in found.items()} == wanted


def test_names_that_fold_alike_or_break_the_rule_are_bookmarks_all_the_same(trip: Trip) -> None:
    names = trip.repository.refs.names(BOOKMARK)
    assert {b"main", b"%4Dain"} <= set(names) or {b"Main", b"%6D%61%69%6E"} <= set(names)
    assert {b"%2Ddash", b"50%25", b"a%7Cb", b"%40", b"lat\xe9"} <= set(names)
    assert len(names) == sum(name.startswith("refs/heads/") for name in ODDITIES)
    assert len(set(NAMED)) == len(NAMED)
