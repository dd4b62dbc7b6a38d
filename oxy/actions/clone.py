"""Make a repository that is like another on this machine (spec: command-line, clone; SY1)."""

import os
from contextlib import closing
from oxy.typed import NamedTuple

from oxy.actions.clock import now
from oxy.actions.identity import operator
from oxy.actions.init import init
from oxy.actions.landing import Landed
from oxy.actions.pull import NotOfferedError, Request, pull, read_only
from oxy.actions.remotes import ORIGIN, add, place_of
from oxy.errors import RequestError
from oxy.progress import Progress
from oxy.repo.place import CONTROL
from oxy.repo.refs import BOOKMARK, HERE
from oxy.repo.repository import Repository
from oxy.repo.writing import Stamp
from oxy.worktree.workcopy import working_copy


class NotEmptyError(RequestError):
    """A repository is to be made in a directory that holds something."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is not empty")
        self.path = path


class Cloned(NamedTuple):
    """Where the new repository is, and what came into it."""

    root: bytes
    landed: Landed


def clone(
    source: bytes, directory: bytes | None, bookmark: bytes | None, progress: Progress
) -> Cloned:
    """Make a repository in a directory that holds what another does, and call that origin.

    Args:
        source: the directory of the other repository.
        directory: where to; None is a directory here that is called as the other.
        bookmark: the bookmark to go to; None is the one that the other is on.
        progress: told of each object.

    What was made is removed again where it fails.

    Raises:
        EmptyAddressError: the source is empty.
        NoRepositoryError: there is none at the source.
        NotEmptyError: the directory holds something.
        NotOfferedError: the other has no such bookmark.
    """
    other = read_only(place_of(source))
    with closing(other.store):
        if bookmark is not None and bookmark not in other.refs.names(BOOKMARK):
            raise NotOfferedError(bookmark, source, ())
        goal = bookmark or _current(other)
    root = os.path.abspath(directory or os.path.basename(os.path.realpath(source)))
    was_there = os.path.lexists(root)
    if was_there and (not os.path.isdir(root) or os.listdir(root)):
        raise NotEmptyError(root)
    try:
        init(root)
        with working_copy(root) as copy:
            copy.progress = progress
            stamp = Stamp(*now(), operator(), b"clone " + source)
            add(copy.repository, stamp, ORIGIN, source)
            landed = pull(copy, Request(ORIGIN, goal=goal), progress)
    except BaseException:
        _remove(root, was_there=was_there)
        raise
    return Cloned(root, landed)


def _current(other: Repository) -> bytes | None:
    """Return the bookmark that another working copy is on, else main, else the first."""
    here = other.refs.get(HERE)
    names = other.refs.names(BOOKMARK)
    wanted = [here.bookmark if here else None, b"main"]
    return next((name for name in (*wanted, *names) if name in names), None)


def _remove(root: bytes, *, was_there: bool) -> None:
    """Remove a repository that was not finished; all in the directory was made by us."""
    # Nothing but a failure needs it, and it loads what takes 9 ms.
    import shutil

    if not was_there:
        shutil.rmtree(root, ignore_errors=True)
        return
    for name in os.listdir(root):
        path = os.path.join(root, name)
        if name == CONTROL or (os.path.isdir(path) and not os.path.islink(path)):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
