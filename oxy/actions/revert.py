"""Record what takes changes back (spec: states, S11, S32)."""

from collections.abc import Sequence
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.actions.clock import now
from oxy.actions.identity import author_of, identity, operator
from oxy.actions.joining import Joined, asked, join
from oxy.actions.membership import members
from oxy.model.change import subject
from oxy.repo.recording import Intent
from oxy.repo.repository import Repository
from oxy.repo.reverting import inverse_of
from oxy.repo.sets import with_added
from oxy.repo.sides import Sides
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, TwiceError, Writing, writing
from oxy.store.protocol import CHANGE
from oxy.worktree.workcopy import WorkingCopy


class Reverted(NamedTuple):
    """What that did, ids and messages of what was recorded, and ids of what has no effect."""

    joined: Joined
    recorded: tuple[tuple[bytes, bytes], ...]
    idle: tuple[bytes, ...]


class _AskedError(Exception):
    """Only asked: what was recorded goes again, once it is known what it would do."""

    def __init__(self, joined: Joined) -> None:
        super().__init__()
        self.joined = joined


def revert(
    copy: WorkingCopy,
    called: Sequence[bytes],
    message: bytes | None = None,
    author: bytes | None = None,
    *,
    dry_run: bool = False,
) -> Reverted:
    """Record for each change, the newest first, one that takes it back.

    Args:
        copy: the working copy.
        called: what the changes are called.
        message: why; else it tells which change is taken back.
        author: who; else whoever records here.
        dry_run: only tell what that would do.

    Cost: the nodes that the changes touch.

    Raises:
        UnknownStateError, AmbiguousError, SeveralHeadsError: that is no single change.
        NotHereError: a change is not in the state.
        ResolvedError: a change resolved a conflict.
        NoIdentityError, AuthorError: nobody says who records.
        WouldOverwriteError: files are in the way; the bookmark does not move.
        MovedMeanwhileError, MovedError: another process was faster.
    """
    copy.look()
    repository, own = copy.repository, copy.base.state
    wanted = members(repository, repository.states.members(own), called)
    who = identity(copy.store) if author is None else author_of(author)
    command = b"revert " + b" ".join(called)
    task = _Task(own, who, message)
    try:
        with writing(repository, Stamp(*now(), operator(), command)) as work:
            for change in sorted(wanted, reverse=True):
                task.take_back(work, change)
            if dry_run:
                _only_asked(copy, task.after)
    except _AskedError as error:
        return task.done(error.joined)
    # What nothing is in conflict with is one's own as any other change.
    sides = Sides(own, task.after) if task.is_disputed else None
    return task.done(join(copy, command, task.after, sides, dry_run=False))


def _only_asked(copy: WorkingCopy, after: Name) -> None:
    raise _AskedError(asked(copy, copy.base.bookmark, after))


class _Task:
    """Changes being taken back, one after the other."""

    __slots__ = ("_author", "_idle", "_message", "_recorded", "after", "is_disputed")

    def __init__(self, state: Name, author: bytes, message: bytes | None) -> None:
        self.after = state
        self.is_disputed = False
        self._author = author
        self._message = message
        self._recorded: list[tuple[bytes, bytes]] = []
        self._idle: list[bytes] = []

    def done(self, joined: Joined) -> Reverted:
        """Return what there is to tell."""
        return Reverted(joined, tuple(self._recorded), tuple(self._idle))

    def take_back(self, work: Writing, change: int) -> None:
        """Record what takes a change back, if anything of it is left."""
        repository = work.repository
        states = repository.states
        name = repository.store.id_of(CHANGE, change)
        number = work.next_change()
        found = inverse_of(repository, change, states.members(self.after), number)
        if not found.drafts and not found.moves:
            self._idle.append(name)
            return
        message = self._message or _message(repository, change, name)
        intent = Intent(self._author, now(), message)
        # Against what came since it stands as a side of its own, which knows nothing of that.
        self.is_disputed = self.is_disputed or found.is_disputed
        context = self._known(repository, change) if found.is_disputed else self.after
        try:
            done = work.record(intent, context, found.drafts, number, found.moves)
        except TwiceError as twice:
            done = twice.recording
        self._recorded.append((done.change.id, message))
        self.after = with_added(states, self.after, BitMap([done.number]))

    def _known(self, repository: Repository, change: int) -> Name:
        """Return what a change and the state that it was recorded in share with the state."""
        states = repository.states
        state, own = states.members(self.after), states.of_change(change)
        return states.name_of_change(change) if own <= state else states.name_of(own & state)


def _message(repository: Repository, change: int, name: bytes) -> bytes:
    first = subject(repository.header(change).message).strip()
    told = b'Revert "%s"' % first if first else b"Revert"
    return told + b"\n\nThis takes back change %s." % name.hex().encode()
