import pytest

from oxy.actions import oplog
from oxy.actions.oplog import operations
from oxy.errors import CorruptionError
from oxy.repo.operations import Operation
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.scribe import File, Scribe

COUNT = 9


@pytest.fixture
def repository() -> Repository:
    made = Repository.in_memory()
    scribe = Scribe(made)
    state = Name()
    for number in range(COUNT):
        state = Name((scribe.commit(state, {b"a": File(b"%d\n" % number)}).number,))
    return made


def test_operations_come_newest_first_between_two_and_up_to_a_limit(
    repository: Repository,
) -> None:
    assert [each.number for each in operations(repository)] == [*range(COUNT, 0, -1)]
    assert [each.number for each in operations(repository, 2)] == [9, 8]
    assert [each.number for each in operations(repository, after=6)] == [9, 8, 7]
    assert [each.number for each in operations(repository, after=2, last=5)] == [5, 4, 3]


@pytest.mark.parametrize("damaged", range(1, COUNT + 1))
def test_what_is_newer_than_a_damaged_operation_comes_before_it_is_told(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, damaged: int
) -> None:
    read = oplog.operation_at

    def reading(where: Repository, number: int) -> Operation:
        if number == damaged:
            message = "damaged"
            raise CorruptionError(message)
        return read(where, number)

    monkeypatch.setattr(oplog, "operation_at", reading)
    with pytest.raises(CorruptionError, match="damaged"):
        list(operations(repository))
    walk = operations(repository)
    newer = [next(walk).number for _ in range(COUNT - damaged)]
    assert newer == [*range(COUNT, damaged, -1)]
