"""Say of paths that they are tracked, or are not (spec: working-copy, W4)."""

import os
from collections.abc import Sequence
from oxy.typed import NamedTuple

from oxy.actions.status import require
from oxy.actions.steps import said as difference
from oxy.actions.steps import stepping
from oxy.errors import RequestError
from oxy.model.pathrule import path_refusal
from oxy.worktree.tracking import write
from oxy.worktree.workcopy import WorkingCopy


class UntrackableError(RequestError):
    """The path rule refuses a path, so nothing can be said of it."""

    def __init__(self, path: bytes, reason: str) -> None:
        super().__init__(f"{os.fsdecode(path)} cannot be tracked: it {reason}")
        self.path = path
        self.reason = reason


class Said(NamedTuple):
    """A path, and whether anything is other than before."""

    path: bytes
    is_new: bool


def track(copy: WorkingCopy, paths: Sequence[bytes]) -> list[Said]:
    """Note of paths that they are tracked, though they be ignored, large or said not to be.

    What was said of paths below them is forgotten.

    Raises:
        NoSuchPathError: a path is nowhere.
        UntrackableError: the path rule refuses one.
    """
    return _say(copy, paths, is_tracked=True)


def untrack(copy: WorkingCopy, paths: Sequence[bytes]) -> list[Said]:
    """Note of paths that they are not tracked, though they be on disk; the files stay.

    What the base state has there shows as deleted, and is so with the next commit.

    Raises:
        NoSuchPathError: a path is nowhere.
        UntrackableError: the path rule refuses one.
    """
    return _say(copy, paths, is_tracked=False)


def _say(copy: WorkingCopy, paths: Sequence[bytes], *, is_tracked: bool) -> list[Said]:
    for path in paths:
        require(copy, path)
        reason = path_refusal(path) if path else None
        if reason is not None:
            raise UntrackableError(path, reason)
    said = _still_needed(copy)
    done = []
    for path in paths:
        start = path + b"/" if path else b""
        before = dict(said)
        for other in [other for other in said if other.startswith(start) or other == path]:
            del said[other]
        if not (is_tracked and _is_tracked_anyway(copy, path, said)):
            said[path] = is_tracked
        done.append(Said(path, said != before))
    verb = b"track" if is_tracked else b"untrack"
    with stepping(copy, b" ".join((verb, *paths)), difference(copy.noted.said, said)):
        write(copy.control, said)
    copy.renoted()
    return done


def _is_tracked_anyway(copy: WorkingCopy, path: bytes, said: dict[bytes, bool]) -> bool:
    """Tell whether a file is tracked by the base state, and nothing else was said above it."""
    directory, _, name = path.rpartition(b"/")
    if name not in copy.manifest.names(directory).split(b"\0"):
        return False
    return all(not path.startswith(other + b"/") and other for other in said)


def _still_needed(copy: WorkingCopy) -> dict[bytes, bool]:
    """Return what was said without what says nothing any more.

    That is of files that are tracked by now, and of what is neither tracked nor on disk.
    """
    return {
        path: is_tracked
        for path, is_tracked in copy.noted.said.items()
        if not (is_tracked and _is_tracked_anyway(copy, path, {}))
        and (os.path.lexists(os.path.join(copy.root, path)) or _is_known(copy, path))
    }


def _is_known(copy: WorkingCopy, path: bytes) -> bool:
    directory, _, name = path.rpartition(b"/")
    return copy.manifest.holds(path) or name in copy.manifest.names(directory).split(b"\0")
