"""Whether an operation did what was measured, by what it told or left; outside the clock."""

import os
import re
from typing import Final, NamedTuple

from bench.beside.branches import MANY, mark_of
from bench.beside.operations import (
    BOOKMARKS,
    CLEAN,
    CLONE,
    COUNT,
    FORGOTTEN,
    MERGE,
    MODIFIED,
    PICK,
    PICKS,
    PULL,
    PULLED,
)
from bench.beside.trees import Tree

STATUSES: Final = frozenset({CLEAN, MODIFIED, FORGOTTEN})
MORE: Final = re.compile(rb"and (\d+) more")
"""How oxy tells of what it does not list."""
LISTS: Final = 2
"""Words from which on an output is a list of changes, and no number of them."""


class Places(NamedTuple):
    """A repository, its clone, and its clone that falls behind."""

    top: str
    other: str
    behind: str


class Told(NamedTuple):
    """What an operation wrote, and how many changes there are at least."""

    output: bytes
    changes: int


def wrong_in(operation: str, places: Places, tree: Tree, told: Told) -> str:
    """Return what is wrong about an operation; nothing where it did what it should."""
    if operation in STATUSES:
        return _status(tree, told.output, len(tree.edited) if operation == MODIFIED else 0)
    copies = {CLONE: places.other, PULL: places.behind, PULLED: places.behind}
    if operation in copies:
        return _copy(places.top, copies[operation], tree)
    if operation in {PICK, PICKS, MERGE}:
        return _taken(places.top, tree, tree.edited[-1:] if operation == PICK else tree.edited)
    return _counted(operation, told)


def _status(tree: Tree, output: bytes, expected: int) -> str:
    shown = sum(path.encode() in output for path in tree.edited)
    return "" if shown == expected else f"{shown} files shown as modified"


def _copy(top: str, other: str, tree: Tree) -> str:
    for path in tree.edited:
        if _read(other, path) != _read(top, path):
            return f"{path} differs"
    return ""


def _taken(top: str, tree: Tree, paths: tuple[str, ...]) -> str:
    for path in paths:
        if mark_of(tree.edited, path) not in _read(top, path):
            return f"{path} was not taken"
    return ""


def _counted(operation: str, told: Told) -> str:
    words = told.output.split()
    if operation == COUNT:
        counted = len(words) if len(words) >= LISTS else int(told.output)
        return "" if counted > told.changes else f"{counted} changes"
    if operation == BOOKMARKS:
        listed = told.output.count(b"\n") + sum(map(int, MORE.findall(told.output)))
        return "" if listed >= MANY else f"{listed} bookmarks"
    return ""


def _read(top: str, path: str) -> bytes:
    with open(os.path.join(top, path), "rb") as file:
        return file.read()
