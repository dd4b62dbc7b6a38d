"""Bring bookmarks and tags to a Git remote (spec: git-bridge, GB37, GB53).

A branch there moves only if it still is what was seen here, and only so that Git calls it a
fast forward. Where all that it holds is in the bookmark though its commit is no ancestor, a
merge commit joins the two.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pyroaring import BitMap

from oxy.actions.push import NoBookmarkToPushError
from oxy.progress import Progress
from oxy.repo.exported import note, state_of
from oxy.repo.refs import BOOKMARK, Ref
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import CHANGE
from oxy.sync.tracking import remote_ref, tracking
from oxy.worktree.workcopy import WorkingCopy
from oxy_git.carried.giving import laid, own_changes
from oxy_git.carried.place import REF
from oxy_git.exporter.plan import Step
from oxy_git.exporter.refs import HEADS, TAGS, NoSuchNameError, Wanted, unmapped, wanted_refs
from oxy_git.exporter.run import Made, Plan, make, planned
from oxy_git.importer.refname import mapped
from oxy_git.reader.ledger import became
from oxy_git.remote.address import GitRemote, meant
from oxy_git.remote.network import Network, Told
from oxy_git.remote.private import private, see, seen
from oxy_git.verify.made import Written, commit_of, of_state, told

UNSEEN: Final = "it has commits that are not in the bookmark: pull first"
OTHER: Final = "there is another tag of this name"
STALE: Final = "stale info"
MOVED: Final = "it is not what was last seen of it: pull first"
TRIES: Final = 3
"""How often the changes are laid down anew where somebody else was faster."""

_MOVED: Final = frozenset(" +*-=")


class Request(NamedTuple):
    """To which remote to push, what, and how.

    `names` are bookmarks and tags; none is the bookmark that one is on, unless something is
    deleted.
    """

    remote: bytes | None
    names: tuple[bytes, ...] = ()
    deleted: tuple[bytes, ...] = ()
    is_forced: bool = False
    dry_run: bool = False


class Goal(NamedTuple):
    """A ref of the remote: what it was seen to hold, and what it is to hold, in hex."""

    full: bytes
    old: bytes | None
    new: bytes | None
    wanted: Wanted | None = None


class Pushed(NamedTuple):
    """What a push did, or would do.

    Attributes:
        remote: where to.
        steps: the commits that the states have.
        made: how many of them were not there.
        moved: the refs that moved there, with what they held and hold.
        joined: the branches for which a merge commit was made.
        refused: the others, with the reason.
        unkept: why the changes could not be laid beside the commits, if they could not.
        said: what the other side told, line by line.
    """

    remote: GitRemote
    steps: Sequence[Step]
    made: int
    moved: tuple[Goal, ...]
    joined: tuple[bytes, ...]
    refused: tuple[tuple[bytes, str], ...]
    unkept: str | None
    said: tuple[bytes, ...] = ()


def push(copy: WorkingCopy, request: Request, stamp: Stamp, progress: Progress) -> Pushed:
    """Move branches and tags of a Git remote to what one's own names hold.

    Raises:
        NoGitRemoteError, NoRemoteError: no such remote.
        NoBookmarkToPushError, NoSuchNameError: there is nothing of that name.
        ConflictedExportError: a state is in conflict.
        GitError: git failed; nothing was moved, or it is not known: pull to see.
    """
    remote = meant(copy.repository, request.remote)
    return _Push(copy, request, remote).run(stamp, progress)


class _Push:
    """One push."""

    __slots__ = (
        "_git",
        "_joined",
        "_names",
        "_refused",
        "_remote",
        "_repository",
        "_request",
        "_seen",
    )

    def __init__(self, copy: WorkingCopy, request: Request, remote: GitRemote) -> None:
        self._repository = copy.repository
        self._request = request
        self._remote = remote
        self._names = list(dict.fromkeys(request.names))
        if not self._names and not request.deleted:
            if copy.here.bookmark is None:
                raise NoBookmarkToPushError(None)
            self._names.append(copy.here.bookmark)
        self._git = private(self._repository)
        self._seen = seen(self._git, remote)
        self._joined: list[bytes] = []
        self._refused: list[tuple[bytes, str]] = []

    def run(self, stamp: Stamp, progress: Progress) -> Pushed:
        """Carry it out."""
        deleted = [self._deletion(name) for name in self._request.deleted]
        names = self._names
        wanted = wanted_refs(self._repository, names) if names else []
        plan = planned(self._repository, wanted)
        self._refused += plan.skipped
        if self._request.dry_run:
            goals = [Goal(w.full, self._seen.get(w.full), None, w) for w in plan.wanted]
            return self._pushed(plan.steps, 0, [*deleted, *goals], None)
        made = make(self._repository, self._git, plan, progress)
        goals = deleted + self._goals(plan, made)
        network = Network(self._git, self._remote, progress)
        moved, unkept = self._send(network, goals, plan)
        self._note(moved, stamp)
        pushed = self._pushed(plan.steps, made.added, moved, unkept)
        return pushed._replace(said=tuple(network.said))

    def _pushed(
        self, steps: Sequence[Step], made: int, moved: Sequence[Goal], unkept: str | None
    ) -> Pushed:
        joined, refused = tuple(self._joined), tuple(self._refused)
        return Pushed(self._remote, steps, made, tuple(moved), joined, refused, unkept)

    def _deletion(self, name: bytes) -> Goal:
        full = HEADS + unmapped(name)
        if full not in self._seen:
            raise NoSuchNameError(name + b"@" + self._remote.name)
        return Goal(full, self._seen[full], None)

    def _goals(self, plan: Plan, made: Made) -> list[Goal]:
        """Return what is to be sent; what may not be is among the refused."""
        goals = []
        for wanted, oid in zip(plan.wanted, made.goals, strict=True):
            goal = Goal(wanted.full, self._seen.get(wanted.full), oid.hex().encode(), wanted)
            if goal.old is not None and goal.old != goal.new and not self._request.is_forced:
                fit = self._fit(goal, goal.old, wanted)
                if fit is None:
                    why = OTHER if wanted.full.startswith(TAGS) else UNSEEN
                    self._refused.append((wanted.full, why))
                    continue
                goal = goal._replace(new=fit)
            if goal.old != goal.new:
                goals.append(goal)
            else:
                see(self._git, self._remote, {goal.full: goal.new})
        return goals

    def _fit(self, goal: Goal, old: bytes, wanted: Wanted) -> bytes | None:
        """Return the commit that a ref can move to, in hex: a descendant of what it holds."""
        if goal.new is None or wanted.full.startswith(TAGS):
            return None
        if not self._git.run("rev-list", "--max-count=1", old, b"^" + goal.new):
            return goal.new
        there = self._state(bytes.fromhex(old.decode()))
        members = self._repository.states.members
        if there is None or not members(there) <= members(wanted.target.state):
            return None
        self._joined.append(wanted.full)
        return self._merge(wanted.target.state, goal.new, old)

    def _state(self, commit: bytes) -> Name | None:
        change = became(self._repository.store, commit)
        if change is not None:
            return self._repository.states.name_of_change(change)
        return state_of(self._repository, commit)

    def _merge(self, name: Name, new: bytes, old: bytes) -> bytes:
        """Make a merge commit of two commits, of which the first has all of the second."""
        tree = self._git.run("rev-parse", new + b"^{tree}").strip()
        ids = list(self._repository.store.ids_of(CHANGE, list(name.heads)))
        headers = [header for _, header in self._repository.headers(list(name.heads))]
        named = sorted(zip(ids, headers, strict=True), key=lambda item: item[0])
        newest = max(named, key=lambda item: (item[1].time, item[0]))[1]
        message = told([(each, header.message) for each, header in named], ())
        by = Written(newest.author, newest.time, message)
        parents = [bytes.fromhex(each.decode()) for each in (new, old)]
        raw = commit_of(bytes.fromhex(tree.decode()), parents, by, of_state(sorted(ids)))
        oid = self._git.run("hash-object", "-t", "commit", "-w", "--stdin", data=raw).strip()
        note(self._repository, [(name, bytes.fromhex(oid.decode()))])
        return oid

    def _send(
        self, network: Network, goals: Sequence[Goal], plan: Plan
    ) -> tuple[list[Goal], str | None]:
        """Push, with the changes; return the refs that moved, and why changes did not."""
        changes = own_changes(self._repository, [item.target.state for item in plan.wanted])
        laying = self._laying(laid(self._repository, self._git, self._seen.get(REF), changes))
        together = [*goals, *laying]
        if not together:
            return [], None
        result = {each.full: each for each in network.push([goal[:3] for goal in together])}
        moved = [goal for goal in goals if self._has_moved(goal, result)]
        return moved, self._laid(network, laying, result, changes)

    def _laid(
        self,
        network: Network,
        laying: list[Goal],
        result: dict[bytes, Told],
        changes: BitMap,
    ) -> str | None:
        """Lay the changes down anew while others are faster; return why they are not there."""
        why = _why_not(laying, result)
        for _ in range(TRIES):
            if why != STALE:
                break
            network.fetch()
            self._seen = seen(self._git, self._remote)
            laying = self._laying(
                laid(self._repository, self._git, self._seen.get(REF), changes)
            )
            # Without a ref git would push what it likes.
            if laying:
                result = {each.full: each for each in network.push([g[:3] for g in laying])}
            why = _why_not(laying, result)
        if why is None:
            see(self._git, self._remote, {goal.full: goal.new for goal in laying})
        return why

    def _laying(self, commit: bytes | None) -> list[Goal]:
        return [] if commit is None else [Goal(REF, self._seen.get(REF), commit)]

    def _has_moved(self, goal: Goal, result: dict[bytes, Told]) -> bool:
        said = result.get(goal.full)
        if said is not None and said.flag in _MOVED:
            return True
        reason = said.reason if said is not None else "git did not tell what became of it"
        self._refused.append((goal.full, MOVED if reason == STALE else reason))
        return False

    def _note(self, moved: Iterable[Goal], stamp: Stamp) -> None:
        """Remember what the remote holds now."""
        see(self._git, self._remote, {goal.full: goal.new for goal in moved})
        with writing(self._repository, stamp) as work:
            for goal in moved:
                if goal.wanted is None:
                    name = mapped(goal.full.removeprefix(HEADS)) or b""
                    work.move(remote_ref(name, self._remote.name), None)
                elif goal.wanted.ref.kind == BOOKMARK:
                    ref: Ref = remote_ref(goal.wanted.ref.name, self._remote.name)
                    state = goal.wanted.target.state
                    work.move(ref, tracking(self._repository.store, state, None))


def _why_not(laying: Sequence[Goal], result: dict[bytes, Told]) -> str | None:
    """Return why changes were not taken; None where they were, or there are none."""
    for goal in laying:
        said = result.get(goal.full)
        if said is None or said.flag not in _MOVED:
            return said.reason if said is not None else "git did not tell"
    return None
