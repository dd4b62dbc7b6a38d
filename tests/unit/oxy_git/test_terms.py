"""Parts of a Git repository: named refs, and truncated imports, which never mix (GB25)."""

from pathlib import Path

import pytest

from oxy.repo.refs import BOOKMARK, TAG
from oxy.repo.repository import Repository
from oxy.store.protocol import CHANGE
from oxy_git.exporter.run import PartialExportError
from oxy_git.importer.refs import NoSuchRefError
from oxy_git.importer.terms import PartialHereError, Terms
from oxy_git.reader.ledger import became
from oxy_git.reader.objects import DamagedObjectError
from oxy_git.reader.partial import Partial, partial_changes, partial_of
from oxy_git.verify.run import verify
from tests.builders.bridge import Silent, brought, change_of, ids, listed, shown
from tests.builders.gitcases import TEN, swapped
from tests.builders.gitrepo import GitRepo
from tests.builders.outward import exported, objects, refs, sent


@pytest.fixture
def git(tmp_path: Path) -> GitRepo:
    return GitRepo(tmp_path / "git", bare=True)


def dated(second: int) -> bytes:
    return b"Ada <ada@example.org> %d +0000" % second


def in_a_row(git: GitRepo, count: int = 6) -> list[str]:
    """Make `main` of so many commits, one a second from 1 on; return them."""
    commits: list[str] = []
    for at in range(1, count + 1):
        text = swapped(TEN, b"%d" % at, b"line %d" % at)
        files = {b"a": text, b"d/b": b"%d\n" % at}
        commits.append(git.commit(files, *commits[-1:], committer=dated(at)))
    git.branch("main", commits[-1])
    return commits


def merged(git: GitRepo) -> tuple[str, str, str]:
    """Make `main` a merge of two commits on one; return the two and the merge."""
    base = git.commit({b"a": TEN})
    one = git.commit({b"a": swapped(TEN, b"1", b"one")}, base)
    two = git.commit({b"a": swapped(TEN, b"8", b"eight")}, base)
    both = swapped(swapped(TEN, b"1", b"one"), b"8", b"eight")
    return one, two, git.main({b"a": both}, one, two)


def imported(repository: Repository, commits: list[str]) -> list[bool]:
    """Return of each commit whether it is imported."""
    return [became(repository.store, bytes.fromhex(oid)) is not None for oid in commits]


def lacks(repository: Repository, commit: str) -> Partial | None:
    return partial_of(repository.header(change_of(repository, commit)))


def proves(repository: Repository) -> tuple[int, int]:
    """Prove everything; return how many files were missing, and how many commits are cut."""
    found = verify(repository, Silent())
    assert found.mismatches == ()
    return found.missing, found.cut


def test_only_the_branches_and_tags_that_are_named_come(git: GitRepo) -> None:
    commits = in_a_row(git)
    git.branch("topics/old", commits[4])
    git.branch("topic", commits[2])
    git.ref("refs/tags/v1", commits[1])
    git.ref("refs/tags/v2", commits[3])
    repository, report = brought(git, terms=Terms(branches=(b"topic",), tags=(b"v1",)))
    assert report.commits == 3
    assert repository.refs.names(BOOKMARK) == [b"topic"]
    assert repository.refs.names(TAG) == [b"v1"]
    assert report.here.bookmark == b"topic"
    assert partial_changes(repository) == set()
    _, report = brought(git, repository)
    assert (report.commits, report.already) == (3, 3)


def test_a_branch_that_is_not_there_is_named(git: GitRepo) -> None:
    in_a_row(git)
    git.branch("topic/x", git.commit({}))
    with pytest.raises(NoSuchRefError, match=r"has no refs/heads/topic$"):
        brought(git, terms=Terms(branches=(b"topic",)))


@pytest.mark.parametrize("terms", [Terms(depth=2), Terms(since=5)], ids=["depth", "since"])
def test_a_cut_history_begins_where_it_is_cut_and_says_so(git: GitRepo, terms: Terms) -> None:
    commits = in_a_row(git)
    repository, report = brought(git, terms=terms)
    assert report.commits == 2
    assert imported(repository, commits) == [False] * 4 + [True] * 2
    assert lacks(repository, commits[4]) == Partial((bytes.fromhex(commits[3]),), ())
    assert lacks(repository, commits[5]) == Partial()
    for commit in commits[4:]:
        assert shown(repository, change_of(repository, commit)) == listed(git, commit)
    assert proves(repository) == (0, 1)


def test_the_first_parents_alone_read_as_they_did(git: GitRepo) -> None:
    one, two, tip = merged(git)
    repository, report = brought(git, terms=Terms(first_parent=True))
    assert report.commits == 3
    assert imported(repository, [one, two, tip]) == [True, False, True]
    assert lacks(repository, one) is None
    assert lacks(repository, tip) == Partial((bytes.fromhex(two),), ())
    assert shown(repository, change_of(repository, tip)) == listed(git, tip)
    assert proves(repository) == (0, 1)


def test_what_a_cut_does_not_reach_is_as_in_a_whole_import(git: GitRepo) -> None:
    one, _, _ = merged(git)
    whole, _ = brought(git)
    cut, _ = brought(git, terms=Terms(first_parent=True))
    there, here = (list(r.store.ids_of(CHANGE, [change_of(r, one)])) for r in (whole, cut))
    assert here == there


def test_a_whole_import_does_not_mix_with_a_cut_one(git: GitRepo) -> None:
    commits = in_a_row(git)
    repository, _ = brought(git, terms=Terms(depth=2))
    with pytest.raises(
        PartialHereError, match=f"commit {commits[4]} was imported here without"
    ):
        brought(git, repository)
    assert repository.store.count(CHANGE) == 2


def test_a_cut_import_finds_all_of_a_whole_one(git: GitRepo) -> None:
    in_a_row(git)
    repository, _ = brought(git)
    _, report = brought(git, repository, terms=Terms(depth=2))
    assert (report.commits, report.already) == (0, 2)
    assert partial_changes(repository) == set()


def test_a_cut_import_goes_on_with_what_is_new(git: GitRepo) -> None:
    commits = in_a_row(git)
    repository, _ = brought(git, terms=Terms(depth=2))
    new = git.main({b"a": TEN}, commits[-1])
    _, report = brought(git, repository, terms=Terms(depth=2))
    assert (report.commits, report.already) == (1, 1)
    assert lacks(repository, new) == Partial()
    assert proves(repository) == (0, 1)


def test_a_cut_history_is_not_given_back(git: GitRepo, tmp_path: Path) -> None:
    commits = in_a_row(git)
    repository, _ = brought(git, terms=Terms(depth=2))
    with pytest.raises(PartialExportError, match=f"commit {commits[4]} was imported without"):
        exported(repository, tmp_path / "out")


@pytest.fixture
def holed(git: GitRepo) -> tuple[GitRepo, str, list[str]]:
    """Return a repository that lacks a blob, the blob, and the commits, a merge among them."""
    base = git.commit({b"a": TEN, b"d/b": b"b\n"})
    one = git.commit({b"a": TEN, b"d/b": b"b\n", b"d/lost": b"lost\n"}, base)
    two = git.commit({b"a": TEN, b"d/b": b"side\n"}, base)
    tip = git.commit({b"a": TEN, b"d/b": b"side\n", b"d/lost": b"lost\n"}, two, one)
    last = git.main({b"a": TEN, b"d/b": b"side\n", b"d/lost": b"found\n", b"e": b"e\n"}, tip)
    _, oid = git.blob(b"lost\n")
    (git.store / "objects" / oid[:2] / oid[2:]).unlink()
    return git, oid, [base, one, two, tip, last]


def test_a_missing_file_is_left_out_where_that_is_allowed(
    holed: tuple[GitRepo, str, list[str]],
) -> None:
    git, oid, (base, one, two, tip, last) = holed
    repository, report = brought(git, terms=Terms(allows_missing=True))
    blob = bytes.fromhex(oid)
    assert report.tally.missing == {b"d/lost": blob}
    assert [lacks(repository, c) for c in (base, two)] == [None, None]
    assert lacks(repository, one) == Partial((), ((b"d/lost", blob),))
    assert lacks(repository, last) == Partial()
    assert sorted(shown(repository, change_of(repository, tip))) == [b"a", b"d/b"]
    assert shown(repository, change_of(repository, last)) == listed(git, last)
    assert proves(repository) == (1, 0)


def test_a_history_with_a_hole_is_given_back_with_the_same_hole(
    holed: tuple[GitRepo, str, list[str]], tmp_path: Path
) -> None:
    git, oid, _ = holed
    repository, _ = brought(git, terms=Terms(allows_missing=True))
    out = GitRepo(tmp_path / "out", bare=True)
    sent(repository, out)
    assert refs(out) == refs(git)
    said = out.git("rev-list", "--objects", "--missing=print", "--branches")
    assert [line for line in said.split(b"\n") if line.startswith(b"?")] == [
        b"?" + oid.encode()
    ]


def test_the_same_hole_is_known_when_the_import_goes_on(
    holed: tuple[GitRepo, str, list[str]],
) -> None:
    git, _, commits = holed
    terms = Terms(allows_missing=True)
    whole, _ = brought(git, terms=terms)
    stepwise = Repository.in_memory()
    for limit in range(1, len(commits) + 1):
        brought(git, stepwise, limit, terms)
    assert ids(stepwise, git) == ids(whole, git)
    assert proves(stepwise) == proves(whole)


def test_a_damaged_file_is_never_left_out(git: GitRepo) -> None:
    git.main({b"a": TEN})
    _, oid = git.blob(TEN)
    (git.store / "objects" / oid[:2] / oid[2:]).write_bytes(b"damaged")
    with pytest.raises(DamagedObjectError, match=f"no whole object {oid}, 'a' in commit"):
        brought(git, terms=Terms(allows_missing=True))


def test_a_whole_import_gives_back_all_that_the_parts_brought(
    git: GitRepo, tmp_path: Path
) -> None:
    _, two, _ = merged(git)
    git.branch("two", two)
    repository, _ = brought(git, terms=Terms(branches=(b"two",)))
    brought(git, repository)
    whole, _ = brought(git)
    assert ids(repository, git) == ids(whole, git)
    assert objects(exported(repository, tmp_path / "out")) == objects(git)
