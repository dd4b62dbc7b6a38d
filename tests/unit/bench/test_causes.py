from pathlib import Path

import pytest

from bench.measuring.causes import (
    AGAIN,
    EQUAL,
    FINAL_LF,
    MERGED,
    MOVED,
    RENAMED,
    REST,
    SIDES,
    Dispute,
    Sorted,
    cause_of,
)
from bench.measuring.gitblame import GitHistory
from tests.builders.gitrepo import GitRepo

BASE = b"a\nb\nc\n"
SHARED = b"shared\n"


class Story:
    """Commits by name, with one file `f` unless said otherwise."""

    def __init__(self, root: Path) -> None:
        self.git = GitRepo(root)
        self.oids: dict[str, str] = {}

    def commit(self, name: str, text: bytes, *parents: str, path: bytes = b"f") -> None:
        known = [self.oids[parent] for parent in parents]
        self.oids[name] = self.git.main({path: text}, *known, message=name.encode() + b"\n")


@pytest.fixture
def story(tmp_path: Path) -> Story:
    made = Story(tmp_path / "git")
    made.commit("base", BASE)
    made.commit("equal", BASE + b"a\n", "base")
    made.commit("moved", b"b\nc\na\n", "base")
    made.commit("renamed", BASE, "base", path=b"g")
    made.commit("open", b"a\nb\nc", "base")
    made.commit("closed", b"a\nb\nc\nd\n", "open")
    made.commit("left", BASE + SHARED, "base")
    made.commit("right", SHARED + BASE, "base")
    made.commit("without", BASE, "left")
    made.commit("again", SHARED + BASE, "without")
    made.commit("merge", BASE + SHARED + b"only here\n", "left", "right")
    return made


def caused(story: Story, text: bytes, oxy: str, git: str, paths: str = "ff") -> str:
    history = GitHistory(str(story.git.root))
    for oid in story.oids.values():  # those that HEAD does not know
        said = story.git.git("rev-list", "--parents", "-1", oid).decode().split()
        history.parents[oid] = said[1:]
    one, other = story.oids[oxy], story.oids[git]
    dispute = Dispute(one, "f", 1, text, one, paths[0], other, paths[1])
    try:
        return cause_of(dispute, history)
    finally:
        history.close()


@pytest.mark.parametrize(
    ("text", "oxy", "git", "cause"),
    [
        (b"a", "base", "equal", EQUAL),
        (b"a", "equal", "base", EQUAL),
        (b"a", "base", "moved", MOVED),
        (b"a", "moved", "base", MOVED),
        (b"c", "base", "open", FINAL_LF),
        (b"c", "base", "closed", FINAL_LF),
        (b"shared", "left", "right", SIDES),
        (b"shared", "right", "left", SIDES),
        (b"shared", "left", "again", AGAIN),
        (b"shared", "again", "left", AGAIN),
        (b"shared", "left", "merge", MERGED),
        (b"nowhere", "left", "right", REST),
        (b"nowhere", "base", "again", REST),
    ],
)
def test_the_newer_commit_tells_why_two_blames_differ(
    story: Story, text: bytes, oxy: str, git: str, cause: str
) -> None:
    assert caused(story, text, oxy, git) == cause


def test_a_file_that_no_parent_has_under_its_path_was_renamed(story: Story) -> None:
    assert caused(story, b"a", "renamed", "base", "gf") == RENAMED
    assert caused(story, b"a", "base", "renamed", "fg") == RENAMED


def test_examples_are_of_different_pairs_of_commits() -> None:
    causes = Sorted(lambda _: EQUAL, examples=2)
    for number, git in enumerate(["one", "one", "two", "three"]):
        causes.add(Dispute("at", "f", number, b"", "oxy", "f", git, "f"))
    assert causes.counts == {EQUAL: 4}
    assert [example.git for example in causes.examples[EQUAL]] == ["one", "two"]
