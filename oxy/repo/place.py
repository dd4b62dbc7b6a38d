"""Where a repository is (spec: store). Loads nothing: every command asks this first."""

import os
from oxy.typed import Final

from oxy.errors import StateError

CONTROL: Final = b".oxy"


class NoRepositoryError(StateError):
    """There is no repository here or above."""

    def __init__(self, start: bytes) -> None:
        super().__init__(f"no repository at or above {os.fsdecode(os.path.abspath(start))}")
        self.start = start


def find(start: bytes) -> bytes:
    """Return the directory at or above start that holds a repository.

    Raises:
        NoRepositoryError: there is none.
    """
    at = os.path.abspath(start)
    while not os.path.isdir(os.path.join(at, CONTROL)):
        above = os.path.dirname(at)
        if above == at:
            raise NoRepositoryError(start)
        at = above
    return at
