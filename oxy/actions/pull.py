"""Take in what another repository on this machine holds (spec: sync, SY1; states, S14)."""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from oxy.typed import NamedTuple

from oxy.actions.clock import now
from oxy.actions.identity import operator
from oxy.actions.landing import Landed, Source, land
from oxy.actions.remotes import Remote, meant
from oxy.errors import RequestError
from oxy.progress import Progress
from oxy.repo.place import CONTROL, Home, NoRepositoryError, home
from oxy.repo.refs import BOOKMARK
from oxy.repo.repository import Repository, identify
from oxy.repo.writing import Stamp
from oxy.store.file import FileStore
from oxy.store.protocol import BLOB, CHANGE
from oxy.sync.endpoint import Endpoint, Offered, Stored
from oxy.sync.part import Part
from oxy.sync.rounds import common
from oxy.worktree.workcopy import WorkingCopy


class ItselfError(RequestError):
    """A repository is to exchange with itself."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is this repository itself")
        self.path = path


class NotOfferedError(RequestError):
    """Another repository has no bookmark of that name; `near` are those that look like it."""

    def __init__(self, name: bytes, remote: bytes, near: tuple[str, ...]) -> None:
        super().__init__(f"{os.fsdecode(remote)} has no bookmark '{os.fsdecode(name)}'")
        self.name = name
        self.remote = remote
        self.near = near


class Request(NamedTuple):
    """From where to pull (a path or a remote), which bookmarks (none: all), how.

    `goal` is the bookmark that an empty working copy goes to, if not its own.
    """

    remote: bytes | None
    bookmarks: tuple[bytes, ...] = ()
    dry_run: bool = False
    goal: bytes | None = None


def pull(copy: WorkingCopy, request: Request, progress: Progress) -> Landed:
    """Take in what another repository has, and let one's own bookmarks follow.

    Without names all bookmarks come and the one that the working copy is on follows; with
    names these come, and one's own of the same names follow, made where there is none.

    Raises:
        NoRepositoryError: there is none.
        ItselfError: it is this one.
        NotOfferedError: it has no such bookmark.
        RefusedObjectError, RefusedNameError: what came breaks a rule; nothing of it is kept.
        WouldOverwriteError: see `land`.
    """
    remote = meant(copy.repository, request.remote)
    with peer_at(copy, remote) as other:
        peer = Stored(other)
        offered = _chosen(peer.refs(), request.bookmarks, remote)
        parts = lacking(copy.repository, peer, offered)
        is_all = not request.bookmarks
        source = Source(
            remote.name, offered, parts, request.bookmarks, is_all=is_all, goal=request.goal
        )
        words = [b"pull", *([request.remote] if request.remote else []), *request.bookmarks]
        stamp = Stamp(*now(), operator(), b" ".join(words))
        return land(copy, stamp, source, progress, dry_run=request.dry_run)


@contextmanager
def peer_at(copy: WorkingCopy, remote: Remote) -> Iterator[Repository]:
    """Open another repository to read it.

    Raises:
        NoRepositoryError: there is none.
        ItselfError: it is this one.
    """
    if os.path.realpath(copy.root) == os.path.realpath(remote.path):
        raise ItselfError(remote.path)
    other = read_only(remote.path)
    with closing(other.store):
        yield other


def read_only(root: bytes) -> Repository:
    """Open the repository in a directory so that nothing in it is ever written.

    Raises:
        NoRepositoryError: there is none.
    """
    if not os.path.isdir(os.path.join(root, CONTROL)):
        raise NoRepositoryError(root)
    control, workspace = home(root)
    # Its cache is not ours to write, nor to believe.
    nowhere = Home(os.devnull.encode(), workspace)
    store = FileStore.open(control, identify, recovers=False)
    return Repository(os.devnull.encode(), store, nowhere)


def _chosen(
    offered: tuple[Offered, ...], bookmarks: Sequence[bytes], remote: Remote
) -> tuple[Offered, ...]:
    names = [each.name for each in offered if each.kind == BOOKMARK]
    for name in bookmarks:
        if name not in names:
            from difflib import get_close_matches

            near = get_close_matches(os.fsdecode(name), map(os.fsdecode, names))
            raise NotOfferedError(name, remote.name, tuple(near))
    if not bookmarks:
        return offered
    return tuple(each for each in offered if each.kind == BOOKMARK and each.name in bookmarks)


def lacking(
    repository: Repository, peer: Endpoint, offered: Sequence[Offered]
) -> Iterator[Part]:
    """Return what of a peer's names is not here."""
    store = repository.store
    want = {change for each in offered for change in (*each.heads, *each.absent)}
    wanted = sorted(change for change in want if store.number_of(CHANGE, change) is None)
    if not wanted:
        return iter(())
    have = common(repository, peer, want)
    return peer.missing(wanted, have, lambda blobs: store.numbers_of(BLOB, blobs))
