"""What a name held at another time, by the operation log (spec: states, S49)."""

import os
from collections.abc import Iterator
from oxy.typed import Final

from oxy.actions.clock import moment_of
from oxy.actions.oplog import operations
from oxy.actions.words import HERE_NAME, KINDS, find_name
from oxy.errors import RequestError
from oxy.repo.refs import HERE, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name

_DIGITS: Final = 9


class NotThenError(RequestError):
    """Nothing was called so at that time."""

    def __init__(self, name: bytes, when: bytes) -> None:
        named, then = os.fsdecode(name), os.fsdecode(when)
        super().__init__(f"nothing was called '{named}' at '{then}'")
        self.name = name
        self.when = when


def former(repository: Repository, name: bytes, when: bytes) -> Name:
    """Return the state that a name held at a time, or before its newest N moves.

    It may be deleted since. A time is meant unless there are only digits.
    Cost: the operations since.

    Raises:
        DateError: the time is none.
        NotThenError: it held nothing then.
    """
    held = _moves_ago if when.isdigit() and len(when) <= _DIGITS else _at
    for ref in _meant(repository, name):
        target = held(repository, ref, os.fsdecode(when))
        if target is not None:
            return target.state
    raise NotThenError(name, when)


def _meant(repository: Repository, name: bytes) -> Iterator[Ref]:
    """Yield the name that is called so; where it is none now, all that may have been."""
    if name == HERE_NAME:
        yield HERE
        return
    ref, _ = find_name(repository, name)
    if ref is not None:
        yield ref
        return
    for kind in KINDS:
        yield Ref(kind, name)


def _at(repository: Repository, ref: Ref, when: str) -> Target | None:
    moment = moment_of(when)
    target = repository.refs.get(ref)
    for _, operation in operations(repository):
        if operation.microseconds <= moment.microseconds:
            return target
        for move in operation.moves:
            if move.ref == ref:
                target = move.before
    return None


def _moves_ago(repository: Repository, ref: Ref, when: str) -> Target | None:
    left = int(when)
    target = repository.refs.get(ref)
    steps = operations(repository)
    while left and (step := next(steps, None)) is not None:
        for moved, before, after in step.operation.moves:
            if moved == ref and (before and before.state) != (after and after.state):
                target = before
                left -= 1
    return None if left else target
