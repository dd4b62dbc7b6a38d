"""Diffs that another process works out, and what happens where it cannot."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from signal import SIGKILL

import pytest

from oxy.diff.lines import edits
from oxy.repo.textual import with_final_lf
from oxy_git.importer import ahead
from oxy_git.importer.ahead import Ahead, ahead_of
from oxy_git.reader.git import Git
from tests.builders.bridge import brought, ids
from tests.builders.gitrepo import Blob, GitRepo


def history(place: Path) -> GitRepo:
    """Make a history with edits, a rename, a binary, a missing final LF and a merge."""
    git = GitRepo(place / "git")
    lines = [b"%d\n" % number for number in range(40)]
    base = {b"a": b"".join(lines), b"b": b"x\ny\n", b"bin": b"\0\1"}
    first = git.commit(base)
    one = git.commit({**base, b"a": b"".join([*lines[:9], b"new\n", *lines[12:]])}, first)
    two = git.commit({**base, b"b": b"x\nz", b"bin": b"\0\2"}, first)
    three = git.commit({b"a": base[b"a"], b"c": b"x\nz\n", b"bin": b"text\n"}, two)
    four = git.commit({b"a": Blob(b"".join(lines[::2]), b"100755"), b"c": b"x\n"}, one, three)
    git.branch("main", git.commit({b"a": b"".join(lines[::3]), b"c": b"x\ny\n"}, four))
    return git


def blob(git: GitRepo, data: bytes) -> bytes:
    return bytes.fromhex(git.put(b"blob", data))


@contextmanager
def started(git: GitRepo) -> Iterator[Ahead]:
    with closing(Ahead(Git(str(git.root).encode()))) as child:
        child.start()
        yield child


def test_answers_come_in_the_order_of_the_questions(tmp_path: Path) -> None:
    git = history(tmp_path)
    texts = [b"a\nb\nc\n", b"a\nX\nc", b"", b"c\n" * 500, b"\0", b"b\n"]
    oids = [blob(git, text) for text in texts]
    pairs = [(old, new) for old in range(len(texts)) for new in range(len(texts))]
    with started(git) as child:
        for old, new in pairs:
            child.ask([])
            child.ask([(oids[old], oids[new])])
        for old, new in pairs:
            told = child.take()
            if b"\0" in (texts[old], texts[new]):
                assert told is None
            else:
                one, other = (with_final_lf(texts[number]) for number in (old, new))
                assert told == edits(one, other)


def test_a_child_that_died_answers_nothing(tmp_path: Path) -> None:
    git = history(tmp_path)
    pair = blob(git, b"a\n"), blob(git, b"b\n")
    with started(git) as child:
        os.kill(child.pid, SIGKILL)
        child.ask([pair] * 10_000)
        assert [child.take() for _ in range(3)] == [None] * 3


def test_a_missing_blob_ends_the_answers(tmp_path: Path) -> None:
    git = history(tmp_path)
    pair = blob(git, b"a\n"), blob(git, b"b\n")
    with started(git) as child:
        child.ask([pair, (pair[0], bytes(20)), pair])
        assert child.take() == edits(b"a\n", b"b\n")
        assert child.take() is None
        assert child.take() is None


def test_few_commits_and_one_processor_have_no_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = Git(str(history(tmp_path).root).encode())
    assert ahead_of(git, ahead.PAYS - 1) is None
    monkeypatch.setattr(ahead, "processors", lambda: 1)
    assert ahead_of(git, ahead.PAYS) is None


@pytest.mark.parametrize("dies", [False, True])
def test_what_is_worked_out_ahead_makes_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, dies: bool
) -> None:
    git = history(tmp_path)
    alone, _ = brought(git)
    taken = []

    class Watched(Ahead):
        """A child that may die at once, and what it answered."""

        def start(self) -> None:
            if dies:
                os.kill(self.pid, SIGKILL)
            super().start()

        def take(self) -> ahead.Told | None:
            taken.append(super().take())
            return taken[-1]

    monkeypatch.setattr(ahead, "Ahead", Watched)
    monkeypatch.setattr(ahead, "PAYS", 0)
    monkeypatch.setattr(ahead, "processors", lambda: 2)
    together, _ = brought(git)
    assert ids(together, git) == ids(alone, git)
    assert len(taken) == 6
    assert any(taken) != dies
