"""An import that dies, or whose index is made anew, goes on where it was (GB23)."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from oxy.cli.watching import Silent
from oxy.repo.place import CONTROL
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.reindexing import Reindexer
from oxy.repo.repository import Repository, identify, opened
from oxy.repo.states import Name
from oxy.repo.writing import Stamp
from oxy.store.file import rebuild
from oxy.store.protocol import CHANGE
from oxy_git.importer.run import Report, import_git
from oxy_git.importer.terms import Terms
from oxy_git.reader.git import Git

STAMP = Stamp(1, 0, b"ann", b"git import")
COMMITS = 5


@pytest.fixture
def source(tmp_path: Path) -> bytes:
    """Return a Git repository of a few commits on one branch."""
    path = tmp_path / "source"
    subprocess.run(["git", "init", "-q", "-b", "main", path], check=True)
    stream = b"".join(
        b"commit refs/heads/main\ncommitter A <a@b> %d +0000\ndata 2\nc%d\n"
        b"M 644 inline f\ndata %d\n%s\n" % (at, at, 2 * at, b"x\n" * at)
        for at in range(1, COMMITS + 1)
    )
    subprocess.run(
        ["git", "-C", path, "fast-import", "--quiet", "--done"],
        input=stream + b"done\n",
        check=True,
    )
    return bytes(path)


def _imported(root: Path, source: bytes, limit: int | None = None) -> Report:
    with opened(bytes(root)) as repository:
        return import_git(repository, Git(source), lambda: STAMP, Silent(), Terms(limit=limit))


def _ids(root: Path) -> list[bytes]:
    with opened(bytes(root)) as repository:
        assert repository.refs.get(Ref(BOOKMARK, b"main")) == Target(Name((COMMITS,)))
        return list(repository.store.ids_of(CHANGE, range(1, COMMITS + 1)))


def _indexed_behind(root: Path, source: bytes) -> None:
    """Leave what a crash leaves after the segment was written and before its index was."""
    index = root / ".oxy" / "index.db"
    before = index.read_bytes()
    _imported(root, source, 3)
    index.write_bytes(before)


def _made_anew(root: Path, source: bytes) -> None:
    _imported(root, source, 3)
    assert rebuild(bytes(root) + b"/" + CONTROL, identify, Reindexer()) == []


@pytest.mark.parametrize("broken", [_indexed_behind, _made_anew])
def test_an_import_goes_on_where_it_was(
    tmp_path: Path, source: bytes, broken: Callable[[Path, bytes], None]
) -> None:
    whole, other = tmp_path / "whole", tmp_path / "other"
    for root in (whole, other):
        root.mkdir()
        Repository.create(bytes(root), "fast").close()
    assert _imported(whole, source).commits == COMMITS
    broken(other, source)
    report = _imported(other, source)
    assert (report.commits, report.already) == (COMMITS - 3, 3)
    assert _ids(other) == _ids(whole)
