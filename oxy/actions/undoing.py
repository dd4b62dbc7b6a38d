"""Going back in the operation log: which names move where (spec: states, S26).

Nothing is erased: going back is an operation of its own. What that means for the files on disk
is not decided here.
"""

from oxy.typed import NamedTuple

from oxy.actions.oplog import operation_at, operations
from oxy.errors import RequestError
from oxy.repo.operations import Move
from oxy.repo.refs import Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.writing import Writing
from oxy.store.protocol import OPERATION


class NothingToUndoError(RequestError):
    """Every operation has been undone."""

    def __init__(self) -> None:
        super().__init__("there is nothing to undo")


class NothingToRedoError(RequestError):
    """The newest operation is no undo that could be taken back."""

    def __init__(self) -> None:
        super().__init__("there is nothing to redo: the newest operation is no undo")


class NoOperationError(RequestError):
    """No operation has this number."""

    def __init__(self, number: int, last: int) -> None:
        super().__init__(f"there is no operation {number}: the newest is {last}")
        self.number = number
        self.last = last


class Plan(NamedTuple):
    """How names are to move, and the operation that this takes back or goes back to."""

    moves: tuple[Move, ...]
    operation: int
    command: bytes

    def write(self, work: Writing) -> None:
        """Move the names."""
        for move in self.moves:
            work.move(move.ref, move.after)


def plan_undo(repository: Repository) -> Plan:
    """Return how to take back the newest operation that is no undo and was not undone.

    The stamp of the operation that does it is to say that it undoes this one.
    Cost: the operations back to it.

    Raises:
        NothingToUndoError: there is none.
    """
    undone: set[int] = set()
    for number, operation in operations(repository):
        if number in undone:
            continue
        if operation.undoes is not None:
            undone.add(operation.undoes)
        else:
            wanted = {move.ref: move.before for move in operation.moves}
            return Plan(_moves(repository, wanted), number, operation.command)
    raise NothingToUndoError


def plan_redo(repository: Repository) -> Plan:
    """Return how to take back the newest undo, if nothing else came after it.

    The command is the one that was undone, the operation the undo.
    Cost: the operations back to it.

    Raises:
        NothingToRedoError: there is none.
    """
    undone: set[int] = set()
    for number, operation in operations(repository):
        if number in undone:
            continue
        if operation.undoes is None:
            break
        taken_back = operation_at(repository, operation.undoes)
        if taken_back.undoes is None:
            wanted = {move.ref: move.before for move in operation.moves}
            return Plan(_moves(repository, wanted), number, taken_back.command)
        undone.add(operation.undoes)
    raise NothingToRedoError


def plan_restore(repository: Repository, number: int) -> Plan:
    """Return how to make names what they were right after an operation; 0 is before the first.

    Cost: the operations back to it.

    Raises:
        NoOperationError: there is none.
    """
    last = repository.store.count(OPERATION)
    if not 0 <= number <= last:
        raise NoOperationError(number, last)
    wanted: dict[Ref, Target | None] = {}
    for _, operation in operations(repository, after=number):
        wanted.update((move.ref, move.before) for move in operation.moves)
    command = operation_at(repository, number).command if number else b""
    return Plan(_moves(repository, wanted), number, command)


def _moves(repository: Repository, wanted: dict[Ref, Target | None]) -> tuple[Move, ...]:
    now = {ref: repository.refs.get(ref) for ref in sorted(wanted)}
    return tuple(
        Move(ref, before, wanted[ref]) for ref, before in now.items() if before != wanted[ref]
    )
