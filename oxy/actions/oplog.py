"""The operation log (spec: states, S24, S25)."""

from collections.abc import Iterator
from itertools import islice
from oxy.typed import NamedTuple

from oxy.repo.operations import Operation, decode_operation
from oxy.repo.refs import seen
from oxy.repo.repository import Repository
from oxy.store.protocol import OPERATION


class Logged(NamedTuple):
    """An operation and its number, by which `op restore` takes it."""

    number: int
    operation: Operation


def operations(
    repository: Repository, limit: int | None = None, after: int = 0, last: int | None = None
) -> Iterator[Logged]:
    """Yield the operations down from `last`, or the newest, to the one that follows `after`.

    They end where `gc` has let go of one.
    """
    after = max(after, begin(repository))
    newest = repository.store.count(OPERATION) if last is None else last
    for number in islice(range(newest, after, -1), limit):
        yield Logged(number, operation_at(repository, number))


def begin(repository: Repository) -> int:
    """Return the number of the last operation before the log begins, 0 where nothing went."""
    return max(repository.store.all_gone(OPERATION), default=0)


def operation_at(repository: Repository, number: int) -> Operation:
    """Return the operation of a number that exists, as the workspace sees its names."""
    store = repository.store
    operation = decode_operation(store, store.read(OPERATION, number))
    if not repository.workspace:
        return operation
    moves = (
        move._replace(ref=seen(move.ref, repository.workspace)) for move in operation.moves
    )
    return operation._replace(moves=tuple(moves))
