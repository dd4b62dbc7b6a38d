from pathlib import Path

import pytest

from oxy.repo.operations import Move, decode_operation
from oxy.repo.refs import BOOKMARK, TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name, NoStateError
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import BLOB, CHANGE, OPERATION
from tests.builders.scribe import File, Scribe

STAMP = Stamp(7, 90, b"ann", b"commit -m x", 4)
MAIN = Ref(BOOKMARK, b"main")


class StopError(Exception):
    """What a test raises to end a transaction."""


@pytest.fixture
def repository() -> Repository:
    return Repository.in_memory()


def test_a_move_is_recorded_with_what_was_before_and_after(repository: Repository) -> None:
    Scribe(repository).commit(Name(), {b"f": File(b"a\n")})
    with writing(repository, STAMP) as work:
        work.move(MAIN, None)
        work.move(Ref(TAG, b"v1"), Target(Name((1,))))
    payload = repository.store.read(OPERATION, 2)
    operation = decode_operation(repository.store, payload)
    assert operation[:5] == STAMP
    assert operation.moves == (
        Move(MAIN, Target(Name((1,))), None),
        Move(Ref(TAG, b"v1"), None, Target(Name((1,)))),
    )
    assert repository.refs.get(MAIN) is None
    assert repository.refs.get(Ref(TAG, b"v1")) == Target(Name((1,)))


def test_a_name_that_moves_twice_moves_once(repository: Repository) -> None:
    Scribe(repository).commit(Name(), {b"f": File(b"a\n")})
    with writing(repository, STAMP) as work:
        work.move(MAIN, None)
        work.move(MAIN, Target(Name()))
    operation = decode_operation(repository.store, repository.store.read(OPERATION, 2))
    assert operation.moves == (Move(MAIN, Target(Name((1,))), Target(Name())),)


def test_where_nothing_moves_there_is_no_record(repository: Repository) -> None:
    Scribe(repository).commit(Name(), {b"f": File(b"a\n")})
    with writing(repository, STAMP) as work:
        work.move(MAIN, None)
        work.move(MAIN, Target(Name((1,))))
    assert repository.store.count(OPERATION) == 1


def _failing(repository: Repository) -> None:
    scribe = Scribe(repository)
    with writing(repository, STAMP, "fast") as work:
        recording = scribe.write(work, Name((1,)), {b"f": File(b"b\n" * 3000)}, {})
        work.move(MAIN, Target(Name((recording.number,))))
        state = repository.states.of_change(recording.number)
        assert b"".join(repository.nodes.content(1, state)) == b"b\n" * 3000
        assert repository.keys.of_change(recording.number) >= 0
        raise StopError


def test_what_fails_leaves_nothing_and_nothing_is_remembered_of_it(
    repository: Repository,
) -> None:
    scribe = Scribe(repository)
    scribe.commit(Name(), {b"f": File(b"a\n")})
    states, nodes, keys = repository.states, repository.nodes, repository.keys
    with pytest.raises(StopError):
        _failing(repository)
    assert repository.refs.get(MAIN) == Target(Name((1,)))
    assert [repository.store.count(kind) for kind in (CHANGE, BLOB, OPERATION)] == [1, 0, 1]
    for each in (states, repository.states):
        with pytest.raises(NoStateError):
            each.of_change(2)
    again = scribe.commit(Name((1,)), {b"f": File(b"c\n")})
    assert again.number == 2
    assert list(states.of_change(2)) == [1, 2]
    assert b"".join(nodes.content(1, states.of_change(2))) == b"c\n"
    assert keys.of_change(2) == repository.keys.of_change(2)


def test_a_rollback_on_disk_is_forgotten_too(tmp_path: Path) -> None:
    repository = Repository.create(bytes(tmp_path), "fast")
    scribe = Scribe(repository)
    scribe.commit(Name(), {b"f": File(b"a\n")})
    with pytest.raises(StopError):
        _failing(repository)
    scribe.commit(Name((1,)), {b"f": File(b"c\n")})
    assert scribe.text(b"f", Name((2,))) == b"c\n"
    repository.close()
