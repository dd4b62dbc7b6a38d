"""Actions in a process that dies at one of their steps."""

import os
from collections.abc import Callable, Iterable
from itertools import count
from typing import Protocol

from oxy.store.database import Database

STATEMENTS = ("run", "many")
DIED = 9


class Call(Protocol):
    """Any function."""

    def __call__(self, *args: object, **named: object) -> object:
        """Call it."""


def mortal(owner: object, name: str, die: Callable[[], None]) -> None:
    real: Call = getattr(owner, name)

    def step(*args: object, **named: object) -> object:
        die()
        answer = real(*args, **named)
        die()
        return answer

    setattr(owner, name, step)


def dies_at(step: int, action: Callable[[], None], calls: Iterable[str]) -> bool:
    """Run the action in a child that dies at a step; return False if it had fewer steps.

    Steps are before and after each of some calls of `os`, and of each statement of a database.
    """
    child = os.fork()
    if child == 0:
        steps = count(1)

        def die() -> None:
            if next(steps) == step:
                os._exit(DIED)

        try:
            for name in calls:
                mortal(os, name, die)
            for name in STATEMENTS:
                mortal(Database, name, die)
            action()
        except BaseException:  # noqa: BLE001 -- the child must never return to pytest
            os._exit(1)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in {0, DIED}
    return status == DIED
