"""Make a repository that is like another (spec: command-line, clone; SY1, SY47)."""

import os
from collections.abc import Sequence
from contextlib import suppress
from oxy.typed import Final, NamedTuple

from oxy.actions.clock import now
from oxy.actions.identity import operator
from oxy.actions.init import init
from oxy.actions.landing import Landed
from oxy.actions.near import alike
from oxy.actions.pull import Request, taken_in
from oxy.actions.reach import reached
from oxy.actions.remotes import ORIGIN, NotOfferedError, Remote, add, located
from oxy.errors import RequestError, StateError
from oxy.progress import Progress
from oxy.repo import durable
from oxy.repo.place import CONTROL
from oxy.repo.refs import ADDRESS, BOOKMARK
from oxy.repo.repository import RepositoryExistsError, opened
from oxy.repo.writing import Stamp
from oxy.sync.address import Store, is_far, parse
from oxy.sync.errors import LostError
from oxy.sync.talk import Host
from oxy.worktree.sparse import Sparse, require_patterns
from oxy.worktree.sparse import write as write_sparse
from oxy.worktree.workcopy import SPARSE, working_copy

_NOTE: Final = b"cloning"
"""In `.oxy`: from where, until all of it is here."""


class NotEmptyError(RequestError):
    """A repository is to be made in a directory that holds something."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is not empty")
        self.path = path


class HalfClonedError(StateError):
    """The connection was lost; what came is in the new repository."""

    def __init__(self, root: bytes, error: LostError) -> None:
        super().__init__(f"{error}; what came is in {os.fsdecode(root)}")
        self.root = root


class Cloned(NamedTuple):
    """Where the new repository is, and what came into it."""

    root: bytes
    landed: Landed


def clone(
    source: bytes,
    directory: bytes | None,
    bookmark: bytes | None,
    progress: Progress,
    sparse: Sequence[bytes] = (),
    *,
    lazy: bool = False,
) -> Cloned:
    """Make a repository in a directory that holds what another does, and call that origin.

    Args:
        source: the directory of the other repository, or its address.
        directory: where to; None is a directory here that is called as the other.
        bookmark: the bookmark to go to; None is the one that the other is on.
        progress: told of each object.
        sparse: patterns of the files to have; none is all (W70).
        lazy: whether blobs come when they are needed, and not before (SY87).

    What was made is removed again where it fails, unless the connection was lost. A clone that
    was killed is ended by the same clone (SY79).

    Raises:
        EmptyAddressError: the source is empty.
        NoRepositoryError, NoProgramError, AddressError: see `reached`.
        HalfClonedError: the connection was lost; what came is here, and `pull` goes on.
        NotEmptyError: the directory holds something.
        BadPatternError: a pattern can fit nothing.
        NotOfferedError: the other has no such bookmark.
    """
    address = located(source)
    root = os.path.abspath(directory or named_after(address))
    was_there = os.path.lexists(root)
    is_begun = was_there and _is_begun(root, address)
    if was_there and not is_begun and (not os.path.isdir(root) or os.listdir(root)):
        raise NotEmptyError(root)
    require_patterns(sparse)
    with reached(Remote(ORIGIN, address), None, b"", progress) as peer:
        goal = _goal(peer, bookmark, source)
        try:
            _begin(root, address, sparse)
            _note_origin(root, source, lazy=lazy)
            landed = _filled(root, source, peer, goal, progress)
        except LostError as error:
            raise HalfClonedError(root, error) from error
        except BaseException:
            if not is_begun:
                remove_made(root, was_there=was_there)
            raise
    durable.remove(os.path.join(root, CONTROL, _NOTE))
    return Cloned(root, landed)


def _is_begun(root: bytes, address: bytes) -> bool:
    """Tell whether a directory holds what a clone from there left that was killed.

    Before its note is durable there is nothing else.
    """
    control = os.path.join(root, CONTROL)
    try:
        with open(os.path.join(control, _NOTE), "rb") as file:
            if file.read() == address:
                return True
    except OSError:
        pass
    try:
        return os.listdir(root) == [CONTROL] and all(
            name.startswith(_NOTE) for name in os.listdir(control)
        )
    except OSError:
        return False


def _begin(root: bytes, address: bytes, sparse: Sequence[bytes]) -> None:
    """Make the repository, with a note of what is under way; go on where that was done."""
    durable.make_directories(os.path.join(root, CONTROL))
    durable.put(os.path.join(root, CONTROL, _NOTE), address)
    with suppress(RepositoryExistsError):
        init(root)
    if sparse:
        write_sparse(os.path.join(root, CONTROL) + SPARSE, Sparse(sparse))


def _note_origin(root: bytes, source: bytes, *, lazy: bool) -> None:
    """Note from where it is; another opening of the repository knows whether it is lazy."""
    with opened(root) as repository:
        stamp = Stamp(*now(), operator(), b"clone " + source)
        if ORIGIN not in repository.refs.names(ADDRESS):
            add(repository, stamp, ORIGIN, source, lends=lazy)


def _filled(
    root: bytes, source: bytes, peer: Host, goal: bytes | None, progress: Progress
) -> Landed:
    with working_copy(root) as copy:
        copy.progress = progress
        remote = Remote(ORIGIN, located(source))
        return taken_in(copy, remote, peer, Request(ORIGIN), progress, goal)


def named_after(address: bytes) -> bytes:
    """Return what a directory is called that is cloned from an address."""
    path = address
    if is_far(address):
        found = parse(address)
        path = found.path or (found.bucket if isinstance(found, Store) else b"")
    name = os.path.basename(path.rstrip(b"/"))
    return name if name not in {b"", b".", b".."} else b"clone"


def _goal(peer: Host, bookmark: bytes | None, source: bytes) -> bytes | None:
    """Return the bookmark to go to: what is wanted, where the other is, main, or the first.

    Raises:
        NotOfferedError: there is none that is called as the one that is wanted.
    """
    names = [each.name for each in peer.refs() if each.kind == BOOKMARK]
    if bookmark is not None and bookmark not in names:
        raise NotOfferedError(bookmark, source, alike(bookmark, names))
    wanted = [bookmark, peer.current(), b"main", *names]
    return next((name for name in wanted if name in names), None)


def remove_made(root: bytes, *, was_there: bool) -> None:
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
