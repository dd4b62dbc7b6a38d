"""Going back in the operation log: which names move where (spec: states, S26).

Nothing is erased: going back is an operation of its own. What that means for the files on disk
is not decided here.
"""

import os
from oxy.typed import NamedTuple

from oxy.actions.oplog import begin, operation_at, operations
from oxy.errors import RequestError
from oxy.repo.operations import Move, Operation
from oxy.repo.refs import OWN, WORKSPACE, Ref, Target, is_elsewhere
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


class ElsewhereError(RequestError):
    """A name was moved in another working copy since."""

    def __init__(self, command: bytes, names: tuple[bytes, ...]) -> None:
        moved = ", ".join(map(os.fsdecode, names))
        what = os.fsdecode(command)
        super().__init__(f"another workspace has moved {moved} since '{what}'")
        self.names = names


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

    What was done in another working copy stays, and so do workspaces. The stamp of the
    operation that does it is to say that it undoes this one.
    Cost: the operations back to it.

    Raises:
        NothingToUndoError: there is none.
        ElsewhereError: what it moved was moved in another working copy since.
    """
    undone: set[int] = set()
    elsewhere: set[Ref] = set()
    for number, operation in operations(repository):
        if number in undone:
            continue
        if operation.undoes is not None:
            undone.add(operation.undoes)
        elif _is_elsewhere(operation):
            elsewhere.update(move.ref for move in operation.moves)
        else:
            return _taking_back(repository, number, operation, operation.command, elsewhere)
    raise NothingToUndoError


def plan_redo(repository: Repository) -> Plan:
    """Return how to take back the newest undo, if nothing else came after it.

    The command is the one that was undone, the operation the undo.
    Cost: the operations back to it.

    Raises:
        NothingToRedoError: there is none.
        ElsewhereError: what it moved was moved in another working copy since.
    """
    undone: set[int] = set()
    elsewhere: set[Ref] = set()
    for number, operation in operations(repository):
        if number in undone:
            continue
        if _is_elsewhere(operation):
            elsewhere.update(move.ref for move in operation.moves)
            continue
        if operation.undoes is None:
            break
        taken_back = operation_at(repository, operation.undoes)
        if taken_back.undoes is None:
            return _taking_back(repository, number, operation, taken_back.command, elsewhere)
        undone.add(operation.undoes)
    raise NothingToRedoError


def plan_restore(repository: Repository, number: int) -> Plan:
    """Return how to make names what they were right after an operation; 0 is before the first.

    Workspaces, and where others of them are, stay.
    Cost: the operations back to it.

    Raises:
        NoOperationError: there is none.
    """
    last = repository.store.count(OPERATION)
    if not begin(repository) <= number <= last:
        raise NoOperationError(number, last)
    wanted: dict[Ref, Target | None] = {}
    for _, operation in operations(repository, after=number):
        wanted.update(
            (move.ref, move.before)
            for move in operation.moves
            if move.ref.kind != WORKSPACE and not is_elsewhere(move.ref)
        )
    is_there = number > begin(repository)
    command = operation_at(repository, number).command if is_there else b""
    return Plan(_moves(repository, wanted), number, command)


def _is_elsewhere(operation: Operation) -> bool:
    """Tell whether an operation was done in another working copy, or to one."""
    if operation.command.startswith(b"workspace "):
        return True
    own = [is_elsewhere(move.ref) for move in operation.moves if move.ref.kind in OWN]
    return bool(own) and all(own)


def _taking_back(
    repository: Repository,
    number: int,
    operation: Operation,
    command: bytes,
    elsewhere: set[Ref],
) -> Plan:
    wanted = {move.ref: move.before for move in operation.moves}
    moved = elsewhere.intersection(wanted)
    if moved:
        raise ElsewhereError(command, tuple(sorted(ref.name for ref in moved)))
    return Plan(_moves(repository, wanted), number, command)


def _moves(repository: Repository, wanted: dict[Ref, Target | None]) -> tuple[Move, ...]:
    now = {ref: repository.refs.get(ref) for ref in sorted(wanted)}
    return tuple(
        Move(ref, before, wanted[ref]) for ref, before in now.items() if before != wanted[ref]
    )
