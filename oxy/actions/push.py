"""Let another repository have what is here (spec: sync, SY8, SY48, SY54)."""

import os
from collections.abc import Sequence
from oxy.typed import NamedTuple, NoReturn

from oxy.actions.clock import now
from oxy.actions.foreseeing import foreseen
from oxy.actions.identity import operator
from oxy.actions.near import alike
from oxy.actions.reach import reached
from oxy.actions.remotes import NotOfferedError, Remote, follow, meant
from oxy.errors import RequestError, StateError
from oxy.model.digest import ChangeId
from oxy.progress import Progress
from oxy.repo.refs import BOOKMARK, TAG, Ref
from oxy.repo.repository import Repository
from oxy.repo.signatures import mark
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import CHANGE
from oxy.sync.bundle import offered_of
from oxy.sync.endpoint import SIGNED_FIELD, Offered, Stored
from oxy.sync.measured import measured
from oxy.sync.rounds import common
from oxy.sync.silent import Silent
from oxy.sync.talk import Far, Host
from oxy.sync.tracking import remote_ref, taken_of, tracking
from oxy.sync.wish import (
    ABSENT,
    IN_USE,
    NOT_ALLOWED,
    NOT_SIGNED,
    OTHER,
    STOPPED,
    Moved,
    Refused,
    State,
    Taken,
    Wish,
)
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


class NoTagToPushError(RequestError):
    """There is no tag of that name; `near` look like it."""

    def __init__(self, name: bytes, near: tuple[str, ...]) -> None:
        super().__init__(f"there is no tag '{os.fsdecode(name)}': nothing to push")
        self.name = name
        self.near = near


class UnseenError(StateError):
    """The other bookmark holds what was never seen here; nothing was changed."""

    def __init__(self, name: bytes, remote: bytes, done: str = "moved") -> None:
        where = f"'{os.fsdecode(name)}' of {os.fsdecode(remote)}"
        super().__init__(f"{where} has changes that were not seen here; it was not {done}")
        self.name = name
        self.remote = remote


class OtherTagError(StateError):
    """The tag holds something else there; nothing was changed."""

    def __init__(self, name: bytes, remote: bytes) -> None:
        where = os.fsdecode(remote)
        super().__init__(f"the tag '{os.fsdecode(name)}' holds something else in {where}")
        self.name = name
        self.remote = remote


class InUseError(StateError):
    """A working copy there is on the bookmark that is to be deleted; nothing was changed."""

    def __init__(self, name: bytes, remote: bytes) -> None:
        where = os.fsdecode(remote)
        super().__init__(f"the working copy of {where} is on '{os.fsdecode(name)}'")
        self.name = name
        self.remote = remote


class NotSignedThereError(StateError):
    """The bookmark there takes only what certain people signed; nothing was changed."""

    def __init__(self, name: bytes, remote: bytes) -> None:
        where = f"'{os.fsdecode(name)}' of {os.fsdecode(remote)}"
        super().__init__(f"{where} takes only what its signers signed; it was not moved")
        self.name = name
        self.remote = remote


class NotAllowedThereError(StateError):
    """Who asks may not do that there, or a hook said no; nothing was changed."""

    def __init__(self, name: bytes, remote: bytes, *, is_stopped: bool) -> None:
        where = f"'{os.fsdecode(name)}' of {os.fsdecode(remote)}"
        who = "a hook there said no" if is_stopped else "you may not do that there"
        super().__init__(f"{where} was not changed: {who}")
        self.name = name
        self.remote = remote


class Request(NamedTuple):
    """Where to push what.

    Attributes:
        remote: a remote, or where it is; None is the upstream.
        bookmarks: which; none is the one that the working copy is on, unless there are others.
        tags: tags to make there.
        deleted: bookmarks to delete there.
        follows: let one's own bookmarks follow those of the remote from now on.
        dry_run: only tell what would become of names there.
    """

    remote: bytes | None
    bookmarks: tuple[bytes, ...] = ()
    tags: tuple[bytes, ...] = ()
    deleted: tuple[bytes, ...] = ()
    follows: bool = False
    dry_run: bool = False


class Pushed(NamedTuple):
    """What the other repository has now: changes that it had not, and names that moved."""

    remote: bytes
    came: int
    moved: tuple[Moved, ...]


def push(copy: WorkingCopy, request: Request, progress: Progress) -> Pushed:
    """Move names of another repository to what one's own of the same names hold.

    A bookmark is moved only if all that it holds was seen here: it is what it was when it was
    last asked for, or all of it is in one's own. All of them move, or none.

    Cost: what the other lacks; one question where it lacks nothing.

    Raises:
        NoRepositoryError, ItselfError, NoProgramError, AddressError: see `reached`.
        NoBookmarkToPushError, NoTagToPushError: there is nothing to push.
        NoRemoteError: what is to be followed is no remote.
        NotOfferedError: there is no such bookmark to delete.
        UnseenError, OtherTagError, InUseError, NotSignedThereError: a name is not moved;
            nothing was changed.
        StoreLockedError: the other repository is being written.
        LostError: the connection was lost; doing it again goes on from there.
    """
    repository = copy.repository
    current = copy.here.bookmark
    remote = meant(repository, request.remote, current)
    bookmarks = _bookmarks(repository, request, current)
    wishes = _wishes(repository, remote, bookmarks, request)
    given = [request.remote] if request.remote else []
    words = b" ".join((b"push", *given, *request.bookmarks))
    stamp = Stamp(*now(), operator(), words)
    with reached(remote, copy.root, stamp.command, progress, repository) as peer:
        left = _left(peer, wishes)
        signed = _signed_since(repository, peer.refs(), wishes)
        if not left and (request.dry_run or not signed):
            taken = Taken(0, ())
        elif request.dry_run:
            taken = foreseen(repository, peer, left)
        else:
            taken = _given(repository, peer, left, signed, progress)
    if taken.refused:
        _refuse(taken.refused[0], remote, request)
    if request.dry_run:
        return Pushed(remote.name, taken.came, taken.moved)
    _note(repository, stamp, remote, bookmarks, request.deleted)
    if request.follows:
        for name in bookmarks:
            follow(repository, stamp, name, remote.name)
    return Pushed(remote.name, taken.came, taken.moved)


def _bookmarks(
    repository: Repository, request: Request, current: bytes | None
) -> tuple[bytes, ...]:
    names = tuple(dict.fromkeys(request.bookmarks))
    if not names and not (request.tags or request.deleted):
        if current is None:
            raise NoBookmarkToPushError(None)
        names = (current,)
    known = repository.refs.names(BOOKMARK)
    for name in names:
        if name not in known:
            raise NoBookmarkToPushError(name, alike(name, known))
    return names


def _wishes(
    repository: Repository, remote: Remote, bookmarks: Sequence[bytes], request: Request
) -> list[Wish]:
    """Return what names there are to hold, ascending."""
    found = {}
    for name in bookmarks:
        found[BOOKMARK, name] = _wish(repository, remote, BOOKMARK, name)
    for name in request.tags:
        known = repository.refs.names(TAG)
        if name not in known:
            raise NoTagToPushError(name, alike(name, known))
        found[TAG, name] = _wish(repository, remote, TAG, name)
    for name in request.deleted:
        held = repository.refs.get(remote_ref(name, remote.name))
        seen = None if held is None else _state(repository, held.state)
        found[BOOKMARK, name] = Wish(BOOKMARK, name, None, seen)
    return [found[key] for key in sorted(found)]


def _wish(repository: Repository, remote: Remote, kind: int, name: bytes) -> Wish:
    held = repository.refs.get(Ref(kind, name))
    known = repository.refs.get(remote_ref(name, remote.name)) if kind == BOOKMARK else None
    seen = None if known is None else _state(repository, taken_of(repository.store, known))
    goal = _state(repository, held.state if held else Name())
    return Wish(kind, name, goal, seen, held.extra if held and kind == TAG else ())


def _state(repository: Repository, state: Name) -> State:
    offered = offered_of(repository, BOOKMARK, b"", state)
    return State(offered.heads, offered.absent)


def _left(peer: Host, wishes: Sequence[Wish]) -> list[Wish]:
    """Return the wishes of names that hold anything else there."""
    refs = peer.refs()
    theirs = {(each.kind, each.name): State(each.heads, each.absent) for each in refs}
    return [each for each in wishes if theirs.get((each.kind, each.name), ()) != each.goal]


def _given(
    repository: Repository,
    peer: Host,
    left: Sequence[Wish],
    signed: set[ChangeId],
    progress: Progress,
) -> Taken:
    """Let the other take in what it lacks, and signatures of what it has."""
    refs = peer.refs()
    want = {change for each in left if each.goal for part in each.goal for change in part}
    told = {change for each in refs for change in each.heads}
    if want <= told and not signed:
        return peer.take(left, ())
    want |= signed
    have = common(repository, peer, told)
    parts = Stored(repository).missing(sorted(want), have, peer.holds)
    # On this machine whoever takes them tells of them.
    if isinstance(peer, Far | Silent):
        parts = measured(parts, progress, "objects sent")
    return peer.take(left, parts)


def _signed_since(
    repository: Repository, offered: Sequence[Offered], wishes: Sequence[Wish]
) -> set[ChangeId]:
    """Return newest changes of bookmarks that bear signatures here, and not the same there."""
    store = repository.store
    told = {(each.kind, each.name): dict(each.extra).get(SIGNED_FIELD) for each in offered}
    found: set[ChangeId] = set()
    for each in wishes:
        heads = each.goal.heads if each.goal is not None and each.kind == BOOKMARK else ()
        own = mark(store, store.numbers_of(CHANGE, heads).values())
        if own and own != told.get((each.kind, each.name)):
            found.update(heads)
    return found


def _refuse(refused: Refused, remote: Remote, request: Request) -> NoReturn:
    name, why = refused.name, refused.why
    if why == OTHER:
        raise OtherTagError(name, remote.name)
    if why == IN_USE:
        raise InUseError(name, remote.name)
    if why == NOT_SIGNED:
        raise NotSignedThereError(name, remote.name)
    if why in (NOT_ALLOWED, STOPPED):
        raise NotAllowedThereError(name, remote.name, is_stopped=why == STOPPED)
    if why == ABSENT:
        raise NotOfferedError(name, remote.name, ())
    raise UnseenError(name, remote.name, "deleted" if name in request.deleted else "moved")


def _note(
    repository: Repository,
    stamp: Stamp,
    remote: Remote,
    bookmarks: Sequence[bytes],
    deleted: Sequence[bytes],
) -> None:
    """Note what the remote holds now."""
    with writing(repository, stamp) as work:
        for name in bookmarks:
            held = repository.refs.get(Ref(BOOKMARK, name))
            if held is not None:
                state = tracking(repository.store, held.state, None)
                work.move(remote_ref(name, remote.name), state)
        for name in deleted:
            work.move(remote_ref(name, remote.name), None)
