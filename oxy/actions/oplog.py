"""The operation log (spec: states, S24, S25)."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from oxy.typed import Final, NamedTuple

from oxy.errors import CorruptionError
from oxy.repo.operations import Operation, decode_operation
from oxy.repo.refs import seen
from oxy.repo.repository import Repository
from oxy.store.protocol import OPERATION

_TOGETHER: Final = 256


class Logged(NamedTuple):
    """An operation and its number, by which `op restore` takes it."""

    number: int
    operation: Operation


def operations(
    repository: Repository, limit: int | None = None, after: int = 0, last: int | None = None
) -> Iterator[Logged]:
    """Yield the operations down from `last`, or the newest, to the one that follows `after`.

    They end where `gc` has let go of one. Cost: one snapshot for as many again as were read,
    so the first ones come at once.
    """
    after = max(after, begin(repository))
    newest = repository.store.count(OPERATION) if last is None else last
    left: Sequence[int] = range(newest, after, -1)[:limit]
    size = 1
    while left:
        found: list[Logged] = []
        with repository.store.snapshot(), suppress(CorruptionError):
            for number in left[:size]:
                each = operation_at(repository, number)
                found.append(Logged(number, each))
        yield from found
        left = left[len(found) :]
        if len(found) < size and left:
            operation_at(repository, left[0])  # raises what is wrong with it
        size = min(2 * size, _TOGETHER)


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
