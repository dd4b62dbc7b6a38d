"""Let another repository on this machine have what one's bookmark holds (spec: SY8, SY48)."""

import os
from collections.abc import Sequence
from contextlib import closing
from oxy.typed import NamedTuple

from oxy.actions.clock import now
from oxy.actions.identity import operator
from oxy.actions.near import alike
from oxy.actions.pull import ItselfError
from oxy.actions.remotes import Remote, meant
from oxy.errors import RequestError, StateError
from oxy.model.digest import ChangeId
from oxy.progress import Progress
from oxy.repo.place import CONTROL, NoRepositoryError
from oxy.repo.refname import check
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, Writing, writing
from oxy.store.protocol import BLOB, CHANGE
from oxy.sync.bundle import offered_of
from oxy.sync.endpoint import Offered, Stored
from oxy.sync.names import arrived
from oxy.sync.receiving import receive
from oxy.sync.rounds import common
from oxy.sync.tracking import remote_ref, taken_of, tracking
from oxy.worktree.workcopy import WorkingCopy


class NoBookmarkToPushError(RequestError):
    """There is no bookmark of that name, or there is none here; `near` look like it."""

    def __init__(self, name: bytes | None, near: tuple[str, ...] = ()) -> None:
        what = "the working copy is on no bookmark"
        if name is not None:
            what = f"there is no bookmark '{os.fsdecode(name)}'"
        super().__init__(f"{what}: nothing to push")
        self.name = name
        self.near = near


class UnseenError(StateError):
    """The other bookmark holds what was never seen here; it was not moved."""

    def __init__(self, name: bytes, remote: bytes) -> None:
        where = f"'{os.fsdecode(name)}' of {os.fsdecode(remote)}"
        super().__init__(f"{where} has changes that were not seen here; it was not moved")
        self.name = name
        self.remote = remote


class Moved(NamedTuple):
    """A bookmark of the other repository that was moved: how much it gained and lost."""

    name: bytes
    is_new: bool
    came: int
    went: int


class Pushed(NamedTuple):
    """What the other repository has now: changes that it had not, and bookmarks that moved."""

    remote: bytes
    came: int
    moved: tuple[Moved, ...]


def push(
    copy: WorkingCopy, given: bytes | None, bookmarks: Sequence[bytes], progress: Progress
) -> Pushed:
    """Move bookmarks of another repository to what one's own of the same names hold.

    One is moved only if all that it holds was seen here: it is what it was when it was last
    asked for, or all of it is in one's own. All of them move, or none.

    Args:
        copy: the working copy.
        given: a remote or a path.
        bookmarks: which; none is the one that the working copy is on.
        progress: told of each object.

    Cost: what the other lacks.

    Raises:
        NoRepositoryError, ItselfError: there is none there, or it is this one.
        NoBookmarkToPushError: there is nothing to push.
        UnseenError: another was faster; nothing was changed.
        StoreLockedError: the other repository is being written.
    """
    repository = copy.repository
    remote = meant(repository, given)
    names = _names(copy, bookmarks)
    if os.path.realpath(copy.root) == os.path.realpath(remote.path):
        raise ItselfError(remote.path)
    if not os.path.isdir(os.path.join(remote.path, CONTROL)):
        raise NoRepositoryError(remote.path)
    other = Repository.at(remote.path)
    words = b" ".join((b"push", *([given] if given else []), *bookmarks))
    stamp = Stamp(*now(), operator(), words)
    with closing(other):
        offered = [_offered(repository, name) for name in names]
        pushed = _given(repository, other, remote, offered, stamp, progress)
    with writing(repository, stamp) as work:
        for name in names:
            held = repository.refs.get(Ref(BOOKMARK, name))
            if held is not None:
                work.move(
                    remote_ref(name, remote.name), tracking(repository.store, held.state, None)
                )
    return pushed


def _names(copy: WorkingCopy, bookmarks: Sequence[bytes]) -> list[bytes]:
    names = list(dict.fromkeys(bookmarks))
    if not names:
        if copy.here.bookmark is None:
            raise NoBookmarkToPushError(None)
        names.append(copy.here.bookmark)
    for name in names:
        if copy.repository.refs.get(Ref(BOOKMARK, name)) is None:
            near = alike(name, copy.repository.refs.names(BOOKMARK))
            raise NoBookmarkToPushError(name, near)
    return names


def _offered(repository: Repository, name: bytes) -> Offered:
    held = repository.refs.get(Ref(BOOKMARK, name))
    return offered_of(repository, BOOKMARK, name, held.state if held else Name())


def _given(
    repository: Repository,
    other: Repository,
    remote: Remote,
    offered: Sequence[Offered],
    stamp: Stamp,
    progress: Progress,
) -> Pushed:
    """Let the other take in what it lacks, through its own door, and move its bookmarks."""
    theirs, ours = Stored(other), Stored(repository)
    told = {head for each in theirs.refs() for head in each.heads}
    have = common(repository, theirs, told)
    want = sorted({change for each in offered for change in (*each.heads, *each.absent)})
    with writing(other, stamp) as work:
        parts = ours.missing(want, have, lambda blobs: other.store.numbers_of(BLOB, blobs))
        received = receive(other, work.transaction, parts, progress)
        moved = [
            _moved(repository, work, remote, each, state)
            for each, state in arrived(other, offered)
        ]
    return Pushed(remote.name, len(received.changes), tuple(each for each in moved if each))


def _moved(
    repository: Repository, work: Writing, remote: Remote, offered: Offered, state: Name
) -> Moved | None:
    """Move a bookmark of the other repository, if nothing in it is unseen here."""
    other, name = work.repository, offered.name
    ref = Ref(BOOKMARK, name)
    held = other.refs.get(ref)
    if held is None:
        check(name, other.refs.names(BOOKMARK))
    elif held.state == state:
        return None
    before = held.state if held else Name()
    old, new = other.states.members(before), other.states.members(state)
    if not old <= new and before != _seen(repository, other, remote, name):
        raise UnseenError(name, remote.name)
    work.move(ref, Target(state) if held is None else held._replace(state=state))
    return Moved(name, held is None, len(new - old), len(old - new))


def _seen(
    repository: Repository, other: Repository, remote: Remote, name: bytes
) -> Name | None:
    """Return what one's own bookmark took of the other last, in the other's numbers."""
    known = repository.refs.get(remote_ref(name, remote.name))
    if known is None:
        return None
    numbers = []
    for part in taken_of(repository.store, known):
        ids = map(ChangeId, repository.store.ids_of(CHANGE, part))
        found = [other.store.number_of(CHANGE, each) for each in ids]
        numbers.append(tuple(sorted(number for number in found if number is not None)))
    return Name(*numbers)
