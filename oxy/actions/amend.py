"""Take what changed in the files into a change (spec: command-line, amend; states, S12).

It is recorded as a change of its own, which is folded into the other.
"""

from collections.abc import Callable, Sequence
from oxy.typed import NamedTuple

from oxy.actions.choosing import with_chosen
from oxy.actions.commit import Choose
from oxy.actions.conflicts import refuse_markers
from oxy.actions.fold import folding
from oxy.actions.membership import member
from oxy.actions.recording import drafted
from oxy.actions.reword import reword
from oxy.actions.rewriting import Outcome, Request, carry_out, words_of
from oxy.actions.status import examined
from oxy.actions.words import HERE_NAME
from oxy.errors import RequestError
from oxy.model.digest import short
from oxy.repo.recording import Intent, NodeDraft
from oxy.repo.rewriting.refusal import NeededError
from oxy.repo.rewriting.steps import Plan
from oxy.repo.states import Name
from oxy.repo.writing import TwiceError, Writing
from oxy.store.protocol import CHANGE
from oxy.worktree.snapshot import Snapshot
from oxy.worktree.workcopy import WorkingCopy


class TiedError(RequestError):
    """What changed in the files cannot go into a change, for it hangs on later ones."""

    def __init__(self, change: bytes, needs: Sequence[bytes]) -> None:
        named = ", ".join(map(short, needs))
        super().__init__(
            f"what changed cannot go into {short(change)}: it touches lines of {named}"
        )
        self.change = change
        self.needs = tuple(needs)


class Wish(NamedTuple):
    """What to take: paths of the repository (none: everything), and into which change.

    `message` and `author` are those of the new change, if not those of the old; `choose`
    chooses among what differs. `check` sees what is to be recorded and its message, and may
    raise; no lock is held then.
    """

    paths: tuple[bytes, ...] = ()
    into: bytes | None = None
    message: bytes | None = None
    author: bytes | None = None
    is_trial: bool = False
    choose: Choose | None = None
    check: Callable[[Snapshot, bytes], None] | None = None


class Amended(NamedTuple):
    """What came of it, None where there was nothing to do; and what was taken."""

    outcome: Outcome | None
    snapshot: Snapshot


def amend(copy: WorkingCopy, wish: Wish) -> Amended:
    """Record a change anew with what changed in the files, and all that know it after it.

    Raises:
        NoSuchPathError: a path that was named is nowhere.
        NoHunkError: a hunk that was named is not there.
        SeveralHeadsError: no change is named, and the state has several newest ones.
        NotHereError: the change is not in the state of the working copy.
        TiedError: what changed hangs on changes that are later than it.
        MarkersLeftError: files have markers of conflicts left in them.
        ChangedError: a file was written meanwhile; nothing is recorded.
    """
    copy.look()
    clock = copy.clock()
    called = HERE_NAME if wish.into is None else wish.into
    change = member(copy, called)
    snapshot = _wanted(copy, wish)
    message = _checked(copy, wish, change, snapshot)
    if not snapshot.changes:
        done = reword(
            copy,
            called,
            lambda _: message,
            author=wish.author,
            is_trial=wish.is_trial,
        )
        return Amended(done, snapshot)
    taken: dict[bytes, tuple[bytes, bytes] | None] = {}
    own: list[int] = []

    def make(work: Writing) -> Plan:
        drafts = drafted(copy, work, copy.base.state, work.next_change(), snapshot)
        own.append(recorded(work, change, copy.base.state, [draft.node for draft in drafts]))
        items = {draft.path: draft.item for draft in drafts}
        for found in snapshot.changes:
            held = items.get(found.path, found.item)
            if held is not None and found.record is not None:
                taken[found.path] = held.digest, found.record
        return amending(copy, own[-1], change, wish)

    request = Request(
        words_of(b"amend", copy.repository, [change]), wish.is_trial, clock, taken
    )
    try:
        return Amended(carry_out(copy, request, make), snapshot)
    except NeededError as error:
        raise _told(copy, error, change) from error


def _wanted(copy: WorkingCopy, wish: Wish) -> Snapshot:
    """Return what changed in the files and is to go into the change."""
    snapshot = examined(copy, wish.paths, forgives=True)
    if wish.choose is not None and snapshot.changes:
        snapshot = wish.choose(copy, snapshot)
    if copy.here.disputed:
        snapshot = with_chosen(copy, snapshot, wish.paths)
        refuse_markers(copy, snapshot)
    return snapshot


def _checked(copy: WorkingCopy, wish: Wish, change: int, snapshot: Snapshot) -> bytes:
    """Return the message of the new change, once it is checked with what it is to hold."""
    header = copy.repository.header(change)
    message, author = wish.message or header.message, wish.author or header.author
    is_same = (message.strip(), author) == (header.message.strip(), header.author)
    if wish.check is not None and (snapshot.changes or not is_same):
        wish.check(snapshot, message)
    return message


def amending(copy: WorkingCopy, own: int, change: int, wish: Wish) -> Plan:
    """Return how a change that holds what changed in the files goes into another."""
    plan = folding(copy.repository, copy.base.state, (change, own), change, wish.message)
    (step,) = plan.steps
    step = step._replace(silent=frozenset({own}), author=wish.author)
    return plan._replace(steps=(step,))


def recorded(work: Writing, change: int, state: Name, drafts: Sequence[NodeDraft]) -> int:
    """Record drafts on a state as a change like another; return its number."""
    header = work.repository.header(change)
    intent = Intent(header.author, header.time, header.message)
    try:
        return work.record(intent, state, drafts, work.next_change()).number
    except TwiceError as twice:
        return twice.recording.number


def _told(copy: WorkingCopy, error: NeededError, change: int) -> RequestError:
    """Return what stands in the way, in the user's terms: the files' own change has no name."""
    store, states = copy.repository.store, copy.repository.states
    known = store.number_of(CHANGE, error.change)
    if known is not None and known in states.members(copy.base.state):
        return error
    return TiedError(store.id_of(CHANGE, change), error.needs)
