"""What operations did: which names moved, which changes came and went (spec: states, S48)."""

from collections.abc import Sequence
from oxy.typed import NamedTuple

from oxy.actions.oplog import Logged, begin, operation_at, operations
from oxy.actions.outcome import FileChange, outcome
from oxy.actions.undoing import NoOperationError
from oxy.model.change import Header
from oxy.repo.operations import Move
from oxy.repo.refs import HERE, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE, OPERATION


class Brief(NamedTuple):
    """A change: its id and header."""

    id: bytes
    header: Header


class Moved(NamedTuple):
    """A name that moved, the changes that it holds since, and those that it has lost."""

    move: Move
    came: tuple[Brief, ...]
    went: tuple[Brief, ...]


class Difference(NamedTuple):
    """What differs: names, and the files of the state that the working copy was made from."""

    moves: tuple[Moved, ...]
    files: tuple[FileChange, ...]


def show(repository: Repository, number: int) -> tuple[Logged, Difference]:
    """Return an operation and what it did.

    Raises:
        NoOperationError: there is none of this number.
    """
    last = repository.store.count(OPERATION)
    if not begin(repository) < number <= last:
        raise NoOperationError(number, last)
    found = between(repository, number - 1, number)
    return Logged(number, operation_at(repository, number)), found


def between(repository: Repository, old: int, new: int | None = None) -> Difference:
    """Return what differs between the names right after an operation and after another.

    Args:
        repository: whose.
        old: an operation; 0 is before the first.
        new: another, earlier or later; else the newest.

    Cost: the operations between them, and the changes and files that differ.

    Raises:
        NoOperationError: there is none.
    """
    last = repository.store.count(OPERATION)
    new = last if new is None else new
    for number in (old, new):
        if not begin(repository) <= number <= last:
            raise NoOperationError(number, last)
    first, second = sorted((old, new))
    before: dict[Ref, Target | None] = {}
    after: dict[Ref, Target | None] = {}
    for _, operation in operations(repository, after=first, last=second):
        for move in operation.moves:
            before[move.ref] = move.before
            after.setdefault(move.ref, move.after)
    if old > new:
        before, after = after, before
    moves = [Move(ref, before[ref], after[ref]) for ref in sorted(before)]
    return _difference(repository, [move for move in moves if move.before != move.after])


def _difference(repository: Repository, moves: Sequence[Move]) -> Difference:
    found: tuple[FileChange, ...] = ()
    for move in moves:
        if move.ref == HERE:
            told = outcome(repository, _state(move.before), _state(move.after))
            found = tuple(told.files)
    return Difference(tuple(_moved(repository, move) for move in moves), found)


def _moved(repository: Repository, move: Move) -> Moved:
    old, new = (
        repository.states.members(_state(target)) for target in (move.before, move.after)
    )
    return Moved(
        move, _briefs(repository, list(new - old)), _briefs(repository, list(old - new))
    )


def _briefs(repository: Repository, changes: list[int]) -> tuple[Brief, ...]:
    """Return changes, the newest to arrive first."""
    ids = repository.store.ids_of(CHANGE, changes)
    headers = (header for _, header in repository.headers(changes))
    return tuple(map(Brief, ids, headers))[::-1]


def _state(target: Target | None) -> Name:
    return Name() if target is None else target.state
