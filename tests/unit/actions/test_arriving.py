from pathlib import Path

import pytest

from oxy.actions.arriving import arrive
from oxy.actions.commit import Request, commit
from oxy.actions.going import MovedError
from oxy.actions.init import init
from oxy.actions.switch import switch
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.repository import opened
from oxy.repo.sides import Sides, came
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.worktree.workcopy import working_copy

STAMP = Stamp(1, 0, b"ann", b"merge topic")
MAIN = Ref(BOOKMARK, b"main")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a working copy on main (changes 1 and 2); topic is 1 and 3."""
    init(bytes(tmp_path))
    _commit(tmp_path, "a", b"one")
    with working_copy(bytes(tmp_path)) as copy:
        switch(copy, b"@", create=b"topic")
    with working_copy(bytes(tmp_path)) as copy:
        switch(copy, b"main")
    _commit(tmp_path, "b", b"two")
    with working_copy(bytes(tmp_path)) as copy:
        switch(copy, b"topic")
    _commit(tmp_path, "c", b"three")
    with working_copy(bytes(tmp_path)) as copy:
        switch(copy, b"main")
    return tmp_path


def _commit(root: Path, name: str, message: bytes) -> None:
    (root / name).write_text(name + "\n")
    with working_copy(bytes(root)) as copy:
        commit(copy, Request(author=b"Ada <ada@example.org>"), lambda _: message)


def test_the_files_the_bookmark_and_the_sides_follow(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        copy.look()
        went = arrive(copy, STAMP, Name((2, 3)), b"main", Sides(Name((2,)), Name((3,))))
    assert went == (1, 0)
    assert (root / "c").read_text() == "c\n"
    with opened(bytes(root)) as repository:
        here = repository.refs.get(HERE)
        assert here is not None
        assert here.is_like(Target(Name((2, 3)), (), b"main"))
        assert list(came(repository, here)) == [3]
        assert repository.refs.get(MAIN) == Target(Name((2, 3)))


def test_what_is_recorded_then_is_ones_own_too(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        copy.look()
        arrive(copy, STAMP, Name((2, 3)), b"main", Sides(Name((2,)), Name((3,))))
    _commit(root, "d", b"four")
    with opened(bytes(root)) as repository:
        here = repository.refs.get(HERE)
        assert here is not None
        assert here.state == Name((4,))
        assert list(came(repository, here)) == [3]


def test_a_bookmark_that_moved_meanwhile_is_left_where_it_is(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        copy.look()
        with opened(bytes(root)) as other, writing(other, STAMP) as work:
            work.move(MAIN, Target(Name((1,))))
        with pytest.raises(MovedError, match="main has moved meanwhile"):
            arrive(copy, STAMP, Name((2, 3)), b"main")
    assert not (root / "c").exists()
    with opened(bytes(root)) as repository:
        assert repository.refs.get(MAIN) == Target(Name((1,)))
