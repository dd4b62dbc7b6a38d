"""What becomes of branches, tags, remote branches and HEAD."""

from pathlib import Path

import pytest

from oxy.model.pathrule import path_refusal
from oxy.repo.refs import BOOKMARK, KEPT, REMOTE, TAG, Ref, Target
from oxy.repo.states import Name
from oxy_git.exporter.refs import unmapped
from oxy_git.importer.refname import mapped, told_apart
from oxy_git.reader.extra import tags_of, things_of
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


def test_tags_of_trees_and_blobs_are_kept_with_what_they_lead_to(git: GitRepo) -> None:
    git.main({b"a": TEN})
    tree = git.tree({b"a": TEN, b"d/b": b"b\n"})
    git.ref("refs/tags/tree", tree)
    tag = git.tag("blob", git.put(b"blob", TEN), "blob")
    repository, report = brought(git)
    assert report.refs.skipped == ()
    assert repository.refs.names(TAG) == []
    assert repository.refs.names(KEPT) == [b"refs/tags/blob", b"refs/tags/tree"]
    blob, held = (repository.refs.get(Ref(KEPT, b"refs/tags/" + n)) for n in (b"blob", b"tree"))
    assert blob is not None
    assert held is not None
    assert things_of(blob.extra) == ((b"blob", TEN),)
    assert tags_of(blob.extra) == (git.git("cat-file", "tag", tag),)
    assert things_of(held.extra)[0] == (b"tree", git.git("cat-file", "tree", tree))
    assert sorted(things_of(held.extra)[1:]) == [
        (b"blob", TEN),
        (b"blob", b"b\n"),
        (b"tree", git.git("cat-file", "tree", f"{tree}:d")),
    ]


def test_a_tag_that_led_to_a_blob_and_leads_to_a_commit_is_a_tag(git: GitRepo) -> None:
    first = git.main({b"a": TEN})
    blob = git.put(b"blob", TEN)
    git.ref("refs/tags/one", blob)
    git.ref("refs/tags/two", first)
    repository, _ = brought(git)
    git.ref("refs/tags/one", first)
    git.ref("refs/tags/two", blob)
    brought(git, repository)
    assert repository.refs.names(TAG) == [b"one"]
    assert repository.refs.names(KEPT) == [b"refs/tags/two"]


def test_what_a_tag_leads_to_is_skipped_where_it_is_too_large(
    git: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy_git.importer.kept.KEPT", 100)
    git.main({b"a": TEN})
    git.ref("refs/tags/large", git.tree({b"a": TEN * 10}))
    git.ref("refs/tags/small", git.put(b"blob", TEN))
    repository, report = brought(git)
    assert report.refs.skipped == (
        (b"refs/tags/large", "what it leads to, a tree, is too large to keep"),
    )
    assert repository.refs.names(KEPT) == [b"refs/tags/small"]


def test_notes_are_kept_and_are_no_bookmark(git: GitRepo) -> None:
    first = git.main({b"a": TEN})
    git.ref("refs/notes/commits", git.commit({first.encode(): b"a note\n"}))
    repository, report = brought(git)
    assert report.commits == 2
    assert repository.refs.names(BOOKMARK) == [b"main"]
    assert repository.refs.names(KEPT) == [b"refs/notes/commits"]


def test_names_that_fold_alike_are_told_apart_whatever_came_first() -> None:
    names = [b"FOO", b"Foo", b"foo", b"caf\xc3\xa9", b"cafe\xcc\x81"]
    called = told_apart(names, [b"Foo"])
    assert called == {
        b"FOO": b"%46%4F%4F",
        b"Foo": b"Foo",
        b"foo": b"%66%6F%6F",
        b"caf\xc3\xa9": b"caf\xc3\xa9",
        b"cafe\xcc\x81": b"cafe%CC%81",
    }
    assert {unmapped(name) for name in called.values()} == set(names)
    assert told_apart(names, called.values()) == called


def test_refs_of_other_kinds_are_passed_over_and_counted(git: GitRepo) -> None:
    first = git.main({b"a": TEN})
    for name in ("refs/pull/1/head", "refs/pull/2/head", "refs/stash", "refs/oxy/changes"):
        git.ref(name, first)
    _, report = brought(git)
    assert report.passed == (
        (b"refs/pull/", 2, b"refs/pull/1/head"),
        (b"refs/stash", 1, b"refs/stash"),
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
