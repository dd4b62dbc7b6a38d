"""Looking into the tree of a state (spec: checkpoints, CP2, CP6).

Kept trees are loaded when somebody looks into them. One that was deleted meanwhile is worked
out anew, so that no answer depends on the cache.
"""

import os
from collections.abc import Sequence

from oxy.errors import RequestError
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import Directory, Entry, files, subtree
from oxy.repo.trees import tree_of


class NoPathError(RequestError):
    """A state has no file at a path; `near` look like it."""

    def __init__(self, path: bytes, near: tuple[str, ...] = ()) -> None:
        super().__init__(f"there is no file {os.fsdecode(path)} in this state")
        self.path = path
        self.near = near


class IsDirectoryError(RequestError):
    """A file is asked for by the path of a directory."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path) or 'the root'} is a directory in this state")
        self.path = path


def file_at(repository: Repository, state: Name, path: bytes) -> Entry:
    """Return the file at a path.

    Raises:
        NoPathError: nothing is there.
        IsDirectoryError: a directory is.
    """
    root = tree_of(repository, state)
    found = subtree(root, path)
    if found is None:
        from oxy.actions.near import recorded_alike

        raise NoPathError(path, recorded_alike(root, path))
    if isinstance(found, Directory):
        raise IsDirectoryError(path)
    return found


def all_files(repository: Repository, state: Name) -> list[tuple[bytes, Entry]]:
    """Return every (path, file) of a state, in path order by name. Cost: the whole tree."""
    return list(files(tree_of(repository, state)))


def files_at(root: Directory, paths: Sequence[bytes]) -> list[tuple[bytes, Entry]]:
    """Return (path, file) of what a tree has at and below some paths; none is everything.

    They are in path order by name, each once. Cost: these files.

    Raises:
        NoPathError: nothing is at a path.
    """
    if not paths or b"" in paths:
        return list(files(root))
    found: dict[bytes, Entry] = {}
    for path in paths:
        held = subtree(root, path)
        if held is None:
            raise NoPathError(path)
        if isinstance(held, Directory):
            found |= {path + b"/" + name: entry for name, entry in files(held)}
        else:
            found[path] = held
    return sorted(found.items(), key=lambda item: item[0].split(b"/"))
