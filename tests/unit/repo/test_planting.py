import pytest

from oxy.repo.planting import planted
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from tests.builders.scribe import File, Scribe

FILES = {b"%02d/%02d/f" % (at % 5, at): File(b"%d\n" % at, mode=at % 2) for at in range(40)}


@pytest.fixture
def scribe() -> Scribe:
    return Scribe(Repository.in_memory())


def test_what_one_change_made_is_planted_whole(scribe: Scribe) -> None:
    name = Name((scribe.commit(Name(), FILES).number,))
    found = planted(scribe.repository, scribe.repository.states.members(name))
    assert found is not None
    assert not found.rest
    assert list(files(found.root)) == list(files(tree_of(scribe.repository, name)))
    assert {path for path, _ in files(found.root)} == set(FILES)


def test_what_a_second_change_touched_is_left(scribe: Scribe) -> None:
    first = Name((scribe.commit(Name(), FILES).number,))
    edits = {b"00/00/f": File(b"edited\n"), b"01/01/f": None, b"new": File(b"new\n")}
    name = Name((scribe.commit(first, edits).number,))
    nodes = scribe.paths(first)
    found = planted(scribe.repository, scribe.repository.states.members(name))
    assert found is not None
    assert set(found.rest) == {nodes[b"00/00/f"], nodes[b"01/01/f"]}
    others = {*FILES, b"new"} - {b"00/00/f", b"01/01/f"}
    assert {path for path, _ in files(found.root)} == others
    tree = tree_of(scribe.repository, name)
    assert {path for path, _ in files(tree)} == {*others, b"00/00/f"}


@pytest.mark.parametrize("clash", [b"00/00/f", b"00/00", b"00/00/f/below", b"00/f.~1234abcd"])
def test_where_paths_are_in_dispute_nothing_is_planted(scribe: Scribe, clash: bytes) -> None:
    first = scribe.commit(Name(), FILES).number
    second = scribe.commit(Name(), {clash: File(b"clash\n")}).number
    state = scribe.repository.states.members(Name((first, second)))
    assert planted(scribe.repository, state) is None
    assert len(list(files(tree_of(scribe.repository, Name((first, second)))))) == len(FILES) + 1


def test_nothing_is_planted_of_nothing(scribe: Scribe) -> None:
    assert planted(scribe.repository, scribe.repository.states.members(Name())) is None
