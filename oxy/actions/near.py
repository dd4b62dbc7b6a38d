"""Names that a mistyped one may have meant (spec: command-line, L13)."""

import os
from contextlib import suppress
from oxy.typed import TYPE_CHECKING

from oxy.repo.tree import Directory, subtree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oxy.worktree.workcopy import WorkingCopy


def alike(name: bytes, names: "Iterable[bytes]") -> tuple[str, ...]:
    """Return the names that look like one that is none."""
    from difflib import get_close_matches

    return tuple(get_close_matches(os.fsdecode(name), [os.fsdecode(each) for each in names]))


def tracked_alike(copy: "WorkingCopy", path: bytes) -> tuple[str, ...]:
    """Return the paths beside one that is nowhere that look like it, on disk or tracked."""
    directory, _, name = path.rpartition(b"/")
    names = set(copy.manifest.names(directory).split(b"\0"))
    # Where there is no such directory, nothing is in it.
    with suppress(OSError):
        names.update(os.listdir(os.path.join(copy.root, directory)))
    return _beside(directory, alike(name, names))


def recorded_alike(root: Directory, path: bytes) -> tuple[str, ...]:
    """Return the paths of a tree beside one that is not in it that look like it."""
    directory, _, name = path.rpartition(b"/")
    found = subtree(root, directory)
    return _beside(
        directory, alike(name, found.entries if isinstance(found, Directory) else ())
    )


def _beside(directory: bytes, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(os.path.join(os.fsdecode(directory), name) for name in names)
