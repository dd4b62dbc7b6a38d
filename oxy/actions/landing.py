"""Take in what another repository offers, and let bookmarks follow (spec: states, S14; sync).

What pulling and applying a bundle end in. What came is stored in one transaction. Names move
in it too, or with the working copy, where that arrives at what its bookmark has become: all of
them in one operation. Where files are in the way of that, what came stays without a name, and
doing it again goes on from there.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.actions.arriving import arrive
from oxy.actions.going import Went, go
from oxy.actions.joining import Joined, asked
from oxy.actions.outcome import Author, outcome
from oxy.actions.remotes import following
from oxy.actions.signers import require_signed
from oxy.model.change import Header
from oxy.phase import phase
from oxy.progress import Progress
from oxy.repo.followed import followed
from oxy.repo.operations import Move
from oxy.repo.refname import check
from oxy.repo.refs import ADDRESS, BOOKMARK, HERE, REMOTE, TAG, Ref, Target
from oxy.repo.sides import Sides
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, Writing, writing
from oxy.store.protocol import CHANGE
from oxy.sync.endpoint import Offered
from oxy.sync.errors import LostError
from oxy.sync.names import arrived, check_names
from oxy.sync.part import Part
from oxy.sync.receiving import receive
from oxy.sync.tracking import Pulled, pulled, remote_ref, taken_of, tracking
from oxy.worktree.workcopy import WorkingCopy

SHOWN: Final = 20
"""Changes that came, and replaced ones, that are told of one by one."""
_MANY: Final = 1_000
"""Names that come from which on all that are here are read at once."""


class Source(NamedTuple):
    """What another repository offers.

    Attributes:
        remote: its bookmarks are called NAME@remote here.
        offered: its names; all of them where `is_all`.
        parts: what of it is not here.
        merged: the bookmarks that one's own of the same names follow.
        is_all: whether a name that is not offered is not there any more.
        is_live: whether it is a repository as it is now, and the bookmark that one is on is to
            follow: then what it took back goes.
        goal: the bookmark to go to from an empty state; without, the one of one's own name, or
            the only one there is.
        before: changes that came from there ahead of this, in the same doing.
        is_lent: whether it has blobs that these changes name, and sends them when asked.
    """

    remote: bytes
    offered: tuple[Offered, ...]
    parts: Iterable[Part]
    merged: tuple[bytes, ...] = ()
    is_all: bool = False
    is_live: bool = True
    goal: bytes | None = None
    before: BitMap = BitMap()
    is_lent: bool = False


class Arrival(NamedTuple):
    """A change that came."""

    id: bytes
    header: Header


class Merged(NamedTuple):
    """What became of a bookmark: how many changes came to it, and what was taken back.

    `stays` was taken back too, and one's own changes depend on it.
    """

    bookmark: bytes
    is_new: bool
    came: int
    gone: tuple[bytes, ...]
    stays: tuple[bytes, ...]


class Landed(NamedTuple):
    """What came, from where, and what it did.

    Attributes:
        remote: from where.
        came: how many changes were not here.
        authors: whose they are.
        newest: the latest of them to arrive, newest first.
        replaced: (old, new) where a change that the remote took back has one in its place.
        names: the bookmarks of the remote that are new or were moved there.
        tags: tags that are new here.
        other_tags: tags that hold something else here, and go on to do so.
        merged: what became of one's own bookmarks.
        joined: what that did to the working copy; None if it stayed where it is.
        is_first: whether the working copy was of the empty state.
    """

    remote: bytes
    came: int
    authors: tuple[Author, ...]
    newest: tuple[Arrival, ...]
    replaced: tuple[tuple[bytes, bytes], ...]
    names: tuple[bytes, ...]
    tags: tuple[bytes, ...]
    other_tags: tuple[bytes, ...]
    merged: tuple[Merged, ...]
    joined: Joined | None
    is_first: bool


class _Arriving(NamedTuple):
    """Where the working copy goes: which bookmark, from what of the remote, to hold what."""

    bookmark: bytes
    remote: Name
    after: Target


class _OnlyAskedError(Exception):
    """Takes a transaction back that was only to tell what it would do."""


def land(
    copy: WorkingCopy, stamp: Stamp, source: Source, progress: Progress, *, dry_run: bool
) -> Landed:
    """Take in what a source offers, and let one's own bookmarks follow.

    Args:
        copy: the working copy.
        stamp: when and by which command.
        source: what is offered.
        progress: told of each object.
        dry_run: take everything back again, and only tell.

    Cost: what came; the files that differ.

    Raises:
        RefusedObjectError, RefusedTransferError, RefusedNameError: nothing is kept.
        LostError: the connection was lost; what came is here, and no name has moved.
        NameFoldsError: a bookmark would be one with another.
        WouldOverwriteError: files are in the way; what came is here, and no name has moved.
        MovedMeanwhileError, MovedError: another process was faster.
        NotSignedError: a bookmark takes only what certain people signed; nothing is kept.
    """
    copy.look()
    check_names(source.offered)
    found: _Landing | LostError
    try:
        with phase("database"), writing(copy.repository, stamp) as work:
            received = receive(
                copy.repository,
                work.transaction,
                source.parts,
                progress,
                promised=source.is_lent,
            )
            found = received.lost or _Landing(copy, work, source)
            if isinstance(found, _Landing):
                came = received.changes | source.before
                landed = _landed(found, came, dry_run=dry_run)
            _go_on(only_asked=dry_run)
    except _OnlyAskedError:
        pass
    if isinstance(found, LostError):
        raise found
    if dry_run or found.arriving is None or landed.joined is None:
        return landed
    went = _arrive(copy, stamp, found.arriving, found.moves)
    return landed._replace(joined=landed.joined._replace(went=went))


def _landed(landing: "_Landing", came: BitMap, *, dry_run: bool) -> Landed:
    landing.carry_out()
    landed = landing.told(came)
    if dry_run and landing.arriving is not None:
        return landed._replace(joined=landing.asked(landing.arriving))
    return landed


def _go_on(*, only_asked: bool) -> None:
    if only_asked:
        raise _OnlyAskedError


def _arrive(copy: WorkingCopy, stamp: Stamp, arriving: _Arriving, also: Sequence[Move]) -> Went:
    """Move the working copy, and all names with it."""
    name, theirs, target = arriving
    base, after = copy.base, target.state
    held = Move(Ref(BOOKMARK, name), None, target)
    if name == base.bookmark:
        sides = Sides(base.state, theirs) if base.state.heads else None
        return arrive(copy, stamp, after, name, sides, [*also, held])
    moves = [*also, held, Move(HERE, base, Target(after, (), name))]
    if base.bookmark is not None:
        moves.append(Move(Ref(BOOKMARK, base.bookmark), None, None))
    return go(copy, stamp, moves, name)


class _Landing:
    """What the names of a source do here, within the transaction that took its changes."""

    __slots__ = (
        "_base",
        "_copy",
        "_held",
        "_merged",
        "_moved",
        "_other_tags",
        "_replaced",
        "_repository",
        "_source",
        "_tags",
        "_work",
        "arriving",
        "moves",
    )

    def __init__(self, copy: WorkingCopy, work: Writing, source: Source) -> None:
        self._copy = copy
        self._repository = copy.repository
        self._held: Mapping[Ref, Target] | None = None
        """What all names here hold, where so many come that none is asked for alone."""
        self._base = copy.base
        self._work = work
        self._source = source
        self._merged: list[Merged] = []
        self._moved: list[bytes] = []
        self._replaced: list[tuple[bytes, bytes]] = []
        self._tags: list[bytes] = []
        self._other_tags: list[bytes] = []
        self.arriving: _Arriving | None = None
        self.moves: list[Move] = []

    def carry_out(self) -> None:
        """Find out which names move; if no file does, move them."""
        names = list(arrived(self._repository, self._source.offered))
        if len(names) >= _MANY:
            refs = self._repository.refs
            kinds = (BOOKMARK, REMOTE, TAG)
            every = ((Ref(kind, name), held) for kind in kinds for name, held in refs.all(kind))
            self._held = dict(every)
        goal = self._goal()
        for offered, state in names:
            if offered.kind == TAG:
                self._tag(offered, state)
            else:
                self._bookmark(offered.name, state, is_goal=offered.name == goal)
        if self._source.is_all:
            self._drop({offered.name for offered, _ in names if offered.kind == BOOKMARK})
        if self.arriving is None:
            for move in self.moves:
                self._work.move(move.ref, move.after)

    def _move(self, ref: Ref, after: Target | None) -> None:
        self.moves.append(Move(ref, None, after))

    def _holds(self, ref: Ref) -> Target | None:
        """Return what a name holds here before anything moves."""
        return self._repository.refs.get(ref) if self._held is None else self._held.get(ref)

    def told(self, changes: BitMap) -> Landed:
        """Return what came and what it did. Cost: a header for each change."""
        authors: Counter[bytes] = Counter()
        newest: list[Arrival] = []
        store, numbers = self._repository.store, list(changes)
        ids = store.ids_of(CHANGE, numbers)
        for name, (_, header) in zip(ids, self._repository.headers(numbers), strict=True):
            authors[header.author] += 1
            newest = [*newest[1 - SHOWN :], Arrival(name, header)]
        ranked = sorted(authors.items(), key=lambda item: (-item[1], item[0]))
        return Landed(
            self._source.remote,
            len(changes),
            tuple(Author(name, count) for name, count in ranked),
            tuple(reversed(newest)),
            tuple(self._replaced[:SHOWN]),
            tuple(self._moved),
            tuple(self._tags),
            tuple(self._other_tags),
            tuple(self._merged),
            self._joined(),
            not self._base.state.heads,
        )

    def asked(self, arriving: _Arriving) -> Joined:
        """Return what going there would do."""
        return asked(self._copy, arriving.bookmark, arriving.after.state)

    def _joined(self) -> Joined | None:
        if self.arriving is None:
            return None
        found = outcome(self._repository, self._base.state, self.arriving.after.state)
        return Joined(self.arriving.bookmark, found, None)

    def _goal(self) -> bytes | None:
        """Return the bookmark to go to from an empty state, if not to that of its name."""
        names = [each.name for each in self._source.offered if each.kind == BOOKMARK]
        if self._source.goal is not None and not self._base.state.heads:
            return self._source.goal
        if len(names) != 1 or self._base.bookmark in names or self._base.state.heads:
            return None
        return names[0] if self._source.is_live else None

    def _tag(self, offered: Offered, state: Name) -> None:
        ref = Ref(TAG, offered.name)
        held = self._holds(ref)
        if held is None:
            check(offered.name, self._repository.refs.names(TAG))
            self._move(ref, Target(state, offered.extra))
            self._tags.append(offered.name)
        elif held.state != state:
            self._other_tags.append(offered.name)

    def _bookmark(self, name: bytes, state: Name, *, is_goal: bool) -> None:
        """Note what the remote has, and let one's own follow."""
        ref = remote_ref(name, self._source.remote)
        before = self._holds(ref)
        taken: Name | None = taken_of(self._repository.store, before)
        own = self._holds(Ref(BOOKMARK, name))
        is_current = is_goal or name == self._base.bookmark
        if (is_current and self._source.is_live) or name in self._source.merged:
            local = self._base.state if is_current else (own.state if own else Name())
            known = taken if taken and self._source.is_live else Name()
            done = pulled(self._repository.states, local, known, state)
            require_signed(self._repository, name, done.came)
            self._note(name, done, is_new=own is None)
            for old, new in followed(self._repository, known, state):
                self._replaced += ((old, each) for each in new)
            if is_current and (done.state != local or name != self._base.bookmark):
                self.arriving = _Arriving(name, state, self._target(own, done.state))
            else:
                self._follow(name, own, done.state, is_current=is_current)
            taken = None
        elif own is None:
            taken = None
        if before is None or before.state != state:
            self._moved.append(name)
        after = tracking(self._repository.store, state, taken)
        if after != before:
            self._move(ref, after)

    def _follow(
        self, name: bytes, own: Target | None, state: Name, *, is_current: bool
    ) -> None:
        """Move one's own bookmark where no file follows."""
        if own is None:
            check(name, self._repository.refs.names(BOOKMARK))
        if not is_current:
            self._move(Ref(BOOKMARK, name), self._target(own, state))

    def _target(self, own: Target | None, state: Name) -> Target:
        """Return what one's own bookmark holds; one that is new follows where it came from."""
        target = Target(state) if own is None else own._replace(state=state)
        is_new = own is None or not own.state.heads
        remote = self._source.remote
        if not is_new or self._repository.refs.get(Ref(ADDRESS, remote)) is None:
            return target
        return following(target, remote)

    def _note(self, name: bytes, done: Pulled, *, is_new: bool) -> None:
        ids_of = self._repository.store.ids_of
        gone, stays = (tuple(sorted(ids_of(CHANGE, part))) for part in (done.gone, done.stays))
        self._merged.append(Merged(name, is_new, len(done.came), gone, stays))

    def _drop(self, there: set[bytes]) -> None:
        """Forget the bookmarks that the remote has no more."""
        end = b"@" + self._source.remote
        for held in self._repository.refs.names(REMOTE):
            if held.endswith(end) and held.removesuffix(end) not in there:
                self._move(Ref(REMOTE, held), None)
