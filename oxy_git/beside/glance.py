"""Whether anything has moved on either side, without asking git (spec: git-bridge, GB61).

Every command looks here, so nothing heavy is loaded. Git replaces the file of a ref when it
moves it, so that what the file system tells of it is new.
"""

import os
from contextlib import suppress
from oxy.typed import Final, NamedTuple

from oxy.worktree.here import witness

DIRECTORY: Final = b"/beside"
"""Where notes of this lie in `.oxy`."""

UNDER_WAY: Final = (
    (b"/MERGE_HEAD", "a merge"),
    (b"/rebase-merge", "a rebase"),
    (b"/rebase-apply", "a rebase"),
    (b"/CHERRY_PICK_HEAD", "a cherry-pick"),
    (b"/REVERT_HEAD", "a revert"),
)
"""What lies in a Git directory while a command of git waits for the user."""

_SEEN: Final = DIRECTORY + b"/seen"
_REFS: Final = (b"/refs/heads", b"/refs/tags", b"/refs/remotes")
_FILES: Final = (b"/packed-refs", b"/reftable/tables.list")
_POINTS: Final = b"gitdir: "


class GitDirectory(NamedTuple):
    """The Git directory of a checkout, and that which its linked worktrees share."""

    own: bytes
    common: bytes


def git_directory(root: bytes) -> GitDirectory | None:
    """Return the Git directory that belongs to a directory, or None."""
    own = root + b"/.git"
    if os.path.isfile(own):
        own = os.path.join(root, _read(own).removeprefix(_POINTS).rstrip(b"\n"))
    if not os.path.isfile(own + b"/HEAD"):
        return None
    common = _read(own + b"/commondir").rstrip(b"\n")
    return GitDirectory(own, os.path.normpath(os.path.join(own, common)) if common else own)


def under_way(place: GitDirectory) -> str | None:
    """Return what git is in the middle of, or None."""
    found = (what for name, what in UNDER_WAY if os.path.lexists(place.own + name))
    return next(found, None)


def git_side(place: GitDirectory) -> bytes:
    """Return bytes that are others once HEAD or a ref has moved.

    That counts the HEAD of linked worktrees, as a branch that one is on stays.

    Cost: a stat for each file of a ref, and each directory of them; packed ones are one file.
    """
    parts = [_read(place.own + b"/HEAD")]
    parts += [_stat(place.common + name) for name in _FILES]
    parts += [_stat(at + b"/HEAD") for at in _worktrees(place)]
    for name in _REFS:
        parts += _below(place.common + name)
    return b"\0".join(parts)


def oxy_side(control: bytes) -> bytes:
    """Return bytes that are others once anything was recorded; empty while something is."""
    return witness(control) or b""


def is_as_seen(place: GitDirectory, control: bytes) -> bool:
    """Return whether nothing has moved since `remember`."""
    oxy = oxy_side(control)
    return bool(oxy) and _read(control + _SEEN) == oxy + git_side(place)


def remember(control: bytes, oxy: bytes, git: bytes) -> None:
    """Write down what both sides looked like when they were in step, if that can be done."""
    path = control + _SEEN
    with suppress(OSError):
        os.makedirs(control + DIRECTORY, exist_ok=True)
        with open(path + b".new", "wb") as file:
            file.write(oxy + git)
        os.replace(path + b".new", path)


def _worktrees(place: GitDirectory) -> list[bytes]:
    """Return the Git directories of other checkouts of the same repository."""
    linked = place.common + b"/worktrees"
    try:
        found = [place.common, *(linked + b"/" + name for name in sorted(os.listdir(linked)))]
    except FileNotFoundError:
        return []
    return [at for at in found if at != place.own]


def _below(directory: bytes) -> list[bytes]:
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        return []
    parts = []
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            parts += [entry.name, *_below(entry.path)]
        else:
            parts += [entry.name, _stat(entry.path)]
    return parts


def _stat(path: bytes) -> bytes:
    try:
        found = os.stat(path)
    except OSError:
        return b""
    return b"%d %d %d" % (found.st_ino, found.st_size, found.st_mtime_ns)


def _read(path: bytes) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
