"""What becomes of branches, tags, remote branches and HEAD."""

from pathlib import Path

import pytest

from oxy.model.pathrule import path_refusal
from oxy.repo.refs import BOOKMARK, REMOTE, TAG, Ref, Target
from oxy.repo.states import Name
from oxy_git.importer.refname import mapped
from tests.builders.bridge import brought, change_of
from tests.builders.gitcases import TEN
from tests.builders.gitrepo import GitRepo


@pytest.fixture
def git(tmp_path: Path) -> GitRepo:
    return GitRepo(tmp_path / "git")


def test_branches_and_tags_of_one_name_do_not_meet(git: GitRepo) -> None:
    first = git.main({b"a": TEN})
    second = git.commit({b"a": b"a\n"}, first)
    git.ref("refs/tags/main", second)
    repository, report = brought(git)
    of = repository.refs.get
    assert of(Ref(BOOKMARK, b"main")) == Target(Name((change_of(repository, first),)))
    assert of(Ref(TAG, b"main")) == Target(Name((change_of(repository, second),)))
    assert report.refs.moved == 2


def test_remote_branches_are_called_by_their_remote_and_its_head_is_none(git: GitRepo) -> None:
    first = git.main({b"a": TEN})
    git.ref("refs/remotes/origin/topic/x", first)
    git.ref("refs/remotes/origin/HEAD", first)
    repository, _ = brought(git)
    assert repository.refs.names(REMOTE) == [b"topic/x@origin"]


def test_an_annotated_tag_keeps_its_object_and_those_on_the_way(git: GitRepo) -> None:
    first = git.main({b"a": TEN})
    inner = git.tag("v1", first)
    outer = git.tag("v1-again", inner, "tag")
    repository, _ = brought(git)
    held = repository.refs.get(Ref(TAG, b"v1-again"))
    assert held is not None
    assert held.state == Name((change_of(repository, first),))
    assert dict(held.extra) == {
        b"git:tag": git.git("cat-file", "tag", outer),
        b"git:tag.1": git.git("cat-file", "tag", inner),
    }


def test_tags_of_trees_and_blobs_are_skipped_and_named(git: GitRepo) -> None:
    git.main({b"a": TEN})
    git.ref("refs/tags/tree", git.tree({b"a": TEN}))
    git.tag("blob", git.put(b"blob", TEN), "blob")
    _, report = brought(git)
    assert report.refs.skipped == (
        (b"refs/tags/blob", "it leads to a blob"),
        (b"refs/tags/tree", "it leads to a tree"),
    )


def test_a_branch_beyond_the_limit_is_skipped_and_named(git: GitRepo) -> None:
    first = git.main({b"a": TEN})
    git.branch("topic", git.commit({b"a": b"a\n"}, first))
    _, report = brought(git, limit=1)
    assert report.refs.skipped == ((b"refs/heads/topic", "its commit is not imported"),)


def test_a_detached_head_is_a_state_without_a_bookmark(git: GitRepo) -> None:
    first = git.main({b"a": TEN})
    loose = git.commit({b"a": b"a\n"}, first)
    git.git("checkout", "-q", "--detach", loose)
    repository, report = brought(git)
    assert report.here == Target(Name((change_of(repository, loose),)))


def test_a_head_that_names_no_branch_gives_way_to_the_first_bookmark(git: GitRepo) -> None:
    git.branch("topic", git.commit({b"a": TEN}))
    git.branch("other", git.commit({b"a": TEN}))
    _, report = brought(git)
    assert report.here.bookmark == b"other"


def test_a_repository_without_commits_stands_on_the_branch_of_head(git: GitRepo) -> None:
    _, report = brought(git)
    assert report.here == Target(Name(), (), b"main")
    assert report.commits == 0


@pytest.mark.parametrize(
    ("name", "called"),
    [
        (b"main", b"main"),
        (b"a/b", b"a/b"),
        (b"HEAD", b"HEAD"),
        (b"lat\xe9", b"lat\xe9"),
        (b'q"uote', b'q"uote'),
        (b"0123456789" * 4, b"0123456789" * 4),
        (b"50%", b"50%25"),
        (b"a|b", b"a%7Cb"),
        (b"-dash", b"%2Ddash"),
        (b"x" * 300, None),
    ],
)
def test_a_name_that_needs_care_is_mapped(name: bytes, called: bytes | None) -> None:
    assert mapped(name) == called


def test_a_mapped_name_breaks_no_rule() -> None:
    for byte in range(1, 256):
        called = mapped(b"a" + bytes([byte]))
        assert called is None or path_refusal(called) is None
