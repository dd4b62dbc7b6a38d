import pytest

from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from oxy.store.protocol import CHANGE
from tests.builders.scribe import File, Scribe


@pytest.fixture
def scribe() -> Scribe:
    return Scribe(Repository.in_memory())


def _commit(scribe: Scribe, context: Name, *paths: bytes) -> Name:
    number = scribe.commit(context, {path: File(path + b"\n") for path in paths}).number
    return Name((number,))


def _shown(scribe: Scribe, *names: Name) -> dict[bytes, int]:
    union = scribe.repository.states.join(names)
    return {path: entry.node for path, entry in files(tree_of(scribe.repository, union))}


def _loser(scribe: Scribe, path: bytes, name: Name, digits: int = 8) -> bytes:
    (change,) = name.heads
    rank = scribe.repository.store.id_of(CHANGE, change).hex().encode()
    return path + b".~" + rank[:digits]


def test_of_two_nodes_at_one_path_the_smaller_id_keeps_it(scribe: Scribe) -> None:
    ours, theirs = _commit(scribe, Name(), b"a"), _commit(scribe, Name(), b"a")
    nodes = scribe.repository.nodes
    winner, loser = sorted((1, 2), key=lambda node: nodes.origin(node)[0])
    placed = {1: ours, 2: theirs}
    wanted = {b"a": winner, _loser(scribe, b"a", placed[loser]): loser}
    assert _shown(scribe, ours, theirs) == wanted
    assert _shown(scribe, theirs, ours) == wanted


def test_a_directory_keeps_its_name_before_a_file(scribe: Scribe) -> None:
    ours, theirs = _commit(scribe, Name(), b"a"), _commit(scribe, Name(), b"a/b/c")
    assert _shown(scribe, ours, theirs) == {b"a/b/c": 2, _loser(scribe, b"a", ours): 1}


def test_a_loser_takes_the_path_once_it_is_free(scribe: Scribe) -> None:
    ours, theirs = _commit(scribe, Name(), b"a"), _commit(scribe, Name(), b"a/b")
    union = scribe.repository.states.join((ours, theirs))
    gone = Name((scribe.commit(union, {b"a/b": None}).number,))
    assert _shown(scribe, gone) == {b"a": 1}


def test_a_loser_takes_more_digits_where_its_name_is_taken(scribe: Scribe) -> None:
    ours, theirs = _commit(scribe, Name(), b"a"), _commit(scribe, Name(), b"a/b")
    taken = _commit(scribe, Name(), _loser(scribe, b"a", ours))
    assert _shown(scribe, ours, theirs, taken) == {
        b"a/b": 2,
        _loser(scribe, b"a", ours): 3,
        _loser(scribe, b"a", ours, 9): 1,
    }


def test_a_name_like_that_of_a_loser_is_a_name(scribe: Scribe) -> None:
    assert _shown(scribe, _commit(scribe, Name(), b"a.~12345678", b"a")) == {
        b"a": 1,
        b"a.~12345678": 2,
    }


def test_three_nodes_at_one_path_all_show(scribe: Scribe) -> None:
    names = [_commit(scribe, Name(), b"d/a") for _ in range(3)]
    shown = _shown(scribe, *names)
    assert sorted(shown.values()) == [1, 2, 3]
    assert b"d/a" in shown
