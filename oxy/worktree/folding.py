"""Names that the file system would take for one (spec: names, N25; working-copy, W26)."""

import os
from collections.abc import Iterable

from oxy.errors import RequestError
from oxy.model.pathrule import fold
from oxy.repo.place import CONTROL


class NamesFoldError(RequestError):
    """Two paths of a state are one path on this file system."""

    def __init__(self, path: bytes, other: bytes) -> None:
        names = f"{os.fsdecode(path)} and {os.fsdecode(other)}"
        super().__init__(f"{names} are one name on this file system")
        self.path = path
        self.other = other


def folds(root: int) -> bool:
    """Tell whether the file system of a working copy does not tell case apart."""
    try:
        there = os.stat(CONTROL.upper(), dir_fd=root, follow_symlinks=False)
        return os.path.samestat(there, os.stat(CONTROL, dir_fd=root, follow_symlinks=False))
    except OSError:
        return False


def refuse_folding(paths: Iterable[bytes]) -> None:
    """Refuse paths of which two, or the directories of two, would be one.

    Cost: a fold of each component.

    Raises:
        NamesFoldError: two would be.
    """
    seen: dict[bytes, bytes] = {}
    for path in paths:
        names = path.split(b"/")
        for depth in range(1, len(names) + 1):
            part = b"/".join(names[:depth])
            key = b"/".join(map(fold, names[:depth]))
            other = seen.setdefault(key, part)
            if other != part:
                raise NamesFoldError(part, other)
