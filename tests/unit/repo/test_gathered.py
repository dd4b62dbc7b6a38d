from oxy.repo.gathered import Gathered
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.scribe import File, Scribe


def _scribe() -> Scribe:
    scribe = Scribe(Repository.in_memory())
    scribe.commit(Name(), {b"%d" % at: File(b"one\n") for at in range(8)})
    scribe.commit(Name((1,)), {b"2": File(b"two\n"), b"5": File(b"one\n", mode=1)})
    return scribe


def _read(gathered: Gathered) -> list[object]:
    nodes = range(1, 9)
    return [
        [list(gathered.touching(node)) for node in nodes],
        [list(gathered.touching(node, 1)) for node in nodes],
        [list(gathered.writes(node)) for node in nodes],
        [gathered.touch(node, change) for node in nodes for change in (1, 2, 3)],
    ]


def test_rows_that_are_held_are_those_of_the_store() -> None:
    store = _scribe().repository.store
    held = Gathered(store)
    held.load(range(1, 9))
    assert _read(held) == _read(Gathered(store))


def test_changes_are_told_of_nodes_that_more_than_one_touches() -> None:
    scribe = _scribe()
    held = Gathered(scribe.repository.store)
    assert held.changes() == set()
    held.load(range(1, 9))
    assert held.changes() == {1, 2}
    paths = scribe.paths(Name((2,)))
    held.load([paths[b"0"], paths[b"1"]])
    assert held.changes() == set()


def test_nodes_far_from_each_other_are_not_read_together() -> None:
    held = Gathered(_scribe().repository.store)
    held.load([1, 8])
    assert held.changes() == set()
    assert [change for change, _ in held.touching(8)] == [1]


def test_what_was_recorded_since_is_found() -> None:
    scribe = _scribe()
    nodes = scribe.repository.nodes
    nodes.gathered.load(range(1, 9))
    node = scribe.paths(Name((2,)))[b"7"]
    scribe.commit(Name((2,)), {b"7": File(b"three\n")})
    assert [change for change, _ in nodes.touching(node)] == [1, 3]
