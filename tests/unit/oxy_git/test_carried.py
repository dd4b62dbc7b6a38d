"""Changes that travel in a Git repository (spec: git-bridge, GB49)."""

from contextlib import closing
from pathlib import Path

import pytest
from pyroaring import BitMap

from oxy.model.digest import ChangeId
from oxy.repo.origin import git_commit
from oxy.repo.refs import BOOKMARK
from oxy.repo.repository import Repository, opened
from oxy.repo.writing import writing
from oxy.store.protocol import BLOB, CHANGE
from oxy_git.carried.giving import laid, own_changes
from oxy_git.carried.place import BLOBS, CHANGES, named, path_of
from oxy_git.carried.shelf import Shelf
from oxy_git.carried.taking import Taker
from oxy_git.reader.git import Git
from tests.builders.bridge import stamp
from tests.builders.desk import AUTHOR, Desk
from tests.builders.gitrepo import GitRepo

LONG = "".join(f"{number}\n" for number in range(2000))


@pytest.fixture
def desk(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    (tmp_path / "desk").mkdir()
    desk = Desk(tmp_path / "desk", capfdbinary)
    desk.says("init")
    desk.write("f", LONG)
    desk.commit("One")
    desk.write("f", LONG + "more\n")
    desk.commit("Two")
    return desk


@pytest.fixture
def git(tmp_path: Path) -> Git:
    repo = GitRepo(tmp_path / "git", bare=True)
    return Git(str(repo.root).encode())


def own(repository: Repository) -> BitMap:
    states = [target.state for _, target in repository.refs.all(BOOKMARK)]
    return own_changes(repository, states)


def took(into: Repository, git: Git, commit: bytes, wanted: bytes) -> int:
    """Take a change and what it needs; return how many came."""
    with closing(Shelf(git, commit)) as shelf, writing(into, stamp()) as work:
        taker = Taker(into, shelf)
        taker.take(work, [ChangeId(wanted)])
        return taker.taken


def test_a_path_tells_what_lies_there() -> None:
    name = bytes(range(32))
    assert named(path_of(CHANGES, name)) == (b"changes", name)
    assert named(b"changes/00/readme") is None
    assert named(b"others" + path_of(BLOBS, name)[5:]) is None


def test_what_is_laid_down_is_taken_up_whole(desk: Desk, git: Git) -> None:
    with opened(str(desk.root).encode()) as repository:
        commit = laid(repository, git, None, own(repository))
        assert commit is not None
        assert laid(repository, git, commit, own(repository)) is None
        ids = list(repository.store.ids_of(CHANGE, (1, 2)))
        payloads = [repository.store.read(CHANGE, number) for number in (1, 2)]
    into = Repository.in_memory()
    assert took(into, git, commit, ids[1]) == 2
    assert [into.store.read(CHANGE, number) for number in (1, 2)] == payloads
    assert into.store.count(BLOB) == 1
    assert took(into, git, commit, ids[1]) == 0


def test_what_was_laid_before_stays(desk: Desk, git: Git) -> None:
    with opened(str(desk.root).encode()) as repository:
        first = laid(repository, git, None, BitMap([1]))
        second = laid(repository, git, first, own(repository))
    assert first is not None
    assert second is not None
    with closing(Shelf(git, second)) as shelf:
        assert len(shelf.held(CHANGES)) == 2
    said = git.run("rev-list", "--parents", "-n", "1", second)
    assert said.split() == [second, first]


def test_nothing_is_taken_where_a_part_is_nowhere(desk: Desk, git: Git) -> None:
    with opened(str(desk.root).encode()) as repository:
        commit = laid(repository, git, None, BitMap([2]))
        wanted = next(repository.store.ids_of(CHANGE, (2,)))
    assert commit is not None
    assert took(Repository.in_memory(), git, commit, wanted) == 0
    assert took(Repository.in_memory(), git, b"refs/oxy/none", wanted) == 0


def test_what_came_from_git_is_neither_laid_nor_taken(
    desk: Desk, git: Git, tmp_path: Path
) -> None:
    source = GitRepo(tmp_path / "source")
    source.main({b"a": b"a\n"})
    desk.says("git", "import", str(source.root), str(tmp_path / "from"))
    with opened(str(tmp_path / "from").encode()) as repository:
        assert git_commit(repository.header(1)) is not None
        assert own(repository) == BitMap()
        commit = laid(repository, git, None, BitMap([1]))
        wanted = next(repository.store.ids_of(CHANGE, (1,)))
    assert commit is not None
    assert took(Repository.in_memory(), git, commit, wanted) == 0
