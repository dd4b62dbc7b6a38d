"""Which files of a state a working copy has, if not all (spec: working-copy, W70).

A note in `.oxy`, of this working copy alone: patterns as in an ignore file, one a line. States
are never affected: a file that is not here stays as it is in everything that is recorded.
"""

import os
from collections.abc import Sequence
from oxy.typed import Final

from oxy.errors import RequestError
from oxy.worktree.wildmatch import Pattern, matches_path, matches_segment, parse

LIMIT: Final = 1 << 20
"""Bytes of the note."""


class OutsideError(RequestError):
    """A file is to be written where the working copy has none of its state."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is outside of what this working copy has")
        self.path = path


class BadPatternError(RequestError):
    """A line is no pattern that could fit anything."""

    def __init__(self, pattern: bytes) -> None:
        super().__init__(f"'{os.fsdecode(pattern)}' is no pattern that fits anything")
        self.pattern = pattern


class Sparse:
    """The patterns of what a working copy has."""

    __slots__ = ("_directories", "_patterns", "lines", "tag")

    def __init__(self, lines: Sequence[bytes]) -> None:
        """Take the patterns, the one that counts least first."""
        self.lines = tuple(lines)
        self._patterns = [found for found in map(parse, reversed(self.lines)) if found]
        self._directories: dict[bytes, bool | None] = {b"": None}
        self.tag = b"\n".join(self.lines)
        """What tells two sets of patterns apart."""

    def holds(self, path: bytes) -> bool:
        """Tell whether a file at a path is here.

        The last pattern that fits it decides; where none does, what holds for its directory.
        Cost: the patterns; those of a directory are looked at once.
        """
        found = self._said(path, is_directory=False)
        return bool(self._below(path.rpartition(b"/")[0]) if found is None else found)

    def _below(self, directory: bytes) -> bool | None:
        if directory not in self._directories:
            said = self._said(directory, is_directory=True)
            above = self._below(directory.rpartition(b"/")[0]) if said is None else said
            self._directories[directory] = above
        return self._directories[directory]

    def _said(self, path: bytes, *, is_directory: bool) -> bool | None:
        names = tuple(path.split(b"/"))
        for pattern in self._patterns:
            if (is_directory or not pattern.only_directories) and _fits(pattern, names):
                return not pattern.negated
        return None


def _fits(pattern: Pattern, names: tuple[bytes, ...]) -> bool:
    if pattern.floating:
        return matches_segment(pattern.groups[0][0], names[-1])
    return matches_path(pattern, names)


def require_patterns(lines: Sequence[bytes]) -> None:
    """Refuse what is no pattern.

    Raises:
        BadPatternError: a line can fit nothing.
    """
    for line in lines:
        if b"\n" in line or parse(line) is None:
            raise BadPatternError(line)


def read(path: bytes) -> Sparse | None:
    """Return what a working copy has; None if it has everything.

    Args:
        path: where its note is, or would be.
    """
    try:
        with open(path, "rb") as file:
            content = file.read(LIMIT)
    except FileNotFoundError:
        return None
    return Sparse([line for line in content.split(b"\n") if line])


def write(path: bytes, sparse: Sparse | None) -> None:
    """Note what a working copy has, in place of what was noted.

    Raises:
        OSError: the system refuses; what was noted holds still.
    """
    from oxy.repo import durable

    if sparse is None:
        durable.remove(path)
    else:
        durable.put(path, b"".join(line + b"\n" for line in sparse.lines))
