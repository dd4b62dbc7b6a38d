"""Paths between where the user stands and the repository (spec: command-line, L2)."""

import os
from collections.abc import Sequence

from oxy.errors import RequestError


class OutsideError(RequestError):
    """A path is not in the working copy."""

    def __init__(self, path: bytes, root: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is outside the working copy {os.fsdecode(root)}")
        self.path = path
        self.root = root


class EmptyPathError(RequestError):
    """A path is empty: a variable of a script was, and not the whole tree is meant."""

    def __init__(self) -> None:
        super().__init__("a path is empty")


def inside(root: bytes, here: bytes, given: bytes) -> bytes:
    """Return a path as the repository has it, from one that the user gave.

    Nothing need exist there. The last component is never followed where it is a symlink.

    Args:
        root: the directory of the working copy.
        here: where the user stands.
        given: absolute, or relative to `here`; the root itself is the empty path.

    Raises:
        OutsideError: it is not in the working copy.
        EmptyPathError: it says nothing.
    """
    if not given:
        raise EmptyPathError
    path = os.path.normpath(os.path.join(here, given))
    found = _below(root, path)
    if found is None:
        # The way there, or the way to the root, may have been told through a symlink.
        above, name = os.path.split(path)
        found = _below(os.path.realpath(root), os.path.join(os.path.realpath(above), name))
    if found is None:
        raise OutsideError(given, root)
    return found


def is_asked(path: bytes, only: Sequence[bytes]) -> bool:
    """Tell whether a path is one of some, or below one; none is everything."""
    return not only or any(
        not asked or path == asked or path.startswith(asked + b"/") for asked in only
    )


def _below(root: bytes, path: bytes) -> bytes | None:
    if path == root:
        return b""
    start = root if root.endswith(b"/") else root + b"/"
    return path[len(start) :] if path.startswith(start) else None


def shown(root: bytes, here: bytes, path: bytes) -> bytes:
    """Return a path of the repository as it is from where the user stands."""
    below = _below(root, here)
    if not below:
        return path
    way, there = below.split(b"/"), path.split(b"/")
    same = 0
    while same < min(len(way), len(there) - 1) and way[same] == there[same]:
        same += 1
    return b"/".join([b".."] * (len(way) - same) + there[same:])
