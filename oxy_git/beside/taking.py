"""What git moved since both sides were in step comes in (spec: git-bridge, GB62)."""

from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from typing import NamedTuple

from oxy.actions.going import go, stay
from oxy.errors import RequestError, StateError
from oxy.progress import Progress
from oxy.repo.operations import Move
from oxy.repo.refs import BOOKMARK, HERE, REMOTE, TAG, Ref, Target, pack_target
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.worktree.workcopy import WorkingCopy
from oxy_git.beside.checkout import HEADS, Checkout, Head, Held
from oxy_git.beside.known import Commits
from oxy_git.beside.step import NOTHING, Agreed, Step, Taken, packed
from oxy_git.importer.refname import mapped
from oxy_git.importer.run import Importer
from oxy_git.reader.extra import tag_fields
from oxy_git.reader.stream import list_commits

_KINDS = ((HEADS, BOOKMARK), (b"refs/tags/", TAG))
_REMOTES = b"refs/remotes/"


def ref_of(full: bytes) -> Ref | None:
    """Return what a ref of Git is called here; None if it can have no name."""
    for prefix, kind in _KINDS:
        if full.startswith(prefix):
            name = mapped(full.removeprefix(prefix))
            return None if name is None else Ref(kind, name)
    remote, _, branch = full.removeprefix(_REMOTES).partition(b"/")
    name = mapped(branch + b"@" + remote)
    return None if name is None else Ref(REMOTE, name)


class Followed(NamedTuple):
    """A ref: its object, the commit that leads to, if any, and the tag objects on the way."""

    full: bytes
    oid: bytes
    commit: bytes | None
    tags: tuple[bytes, ...]


class Taker:
    """Brings commits in and moves names.

    Args:
        copy: the working copy.
        checkout: Git's side.
        step: where both were.
        stamp: when and by whom.
    """

    __slots__ = (
        "_checkout",
        "_copy",
        "_importer",
        "_joined",
        "_moves",
        "_said",
        "_stamp",
        "_step",
    )

    def __init__(
        self, copy: WorkingCopy, checkout: Checkout, step: Step, stamp: Callable[[], Stamp]
    ) -> None:
        self._copy = copy
        self._checkout = checkout
        self._step = step
        self._stamp = stamp
        self._importer = Importer(copy.repository, checkout.git)
        self._moves: dict[Ref, Move] = {}
        self._joined: dict[bytes | None, Name] = {}
        self._said: list[tuple[str | bytes, ...]] = []

    def close(self) -> None:
        """End the processes that it reads with."""
        self._importer.close()

    def run(self, theirs: Mapping[bytes, Held], head: Head, progress: Progress) -> Taken:
        """Bring in what is new, and move what git moved."""
        held = self._step.refs
        new = {
            full: ref
            for full, ref in theirs.items()
            if full not in held or held[full].oid != ref.oid
        }
        found = self._followed(new)
        there = {ref.oid for full, ref in theirs.items() if full not in new}
        self._bring({ref.commit for ref in found} | {head.oid}, there, progress)
        refs = {full: agreed for full, agreed in held.items() if full in theirs}
        for ref in found:
            refs[ref.full] = self._taken(ref)
        for full in held.keys() - theirs.keys():
            self._gone(full)
        self._take_head(head)
        self._write()
        self._go_along()
        return Taken(refs, self._said, self._importer.tally.commits)

    def _followed(self, new: Mapping[bytes, Held]) -> list[Followed]:
        """Return what refs lead to, as they were read: git may have moved them since."""
        tags = {full: ref for full, ref in new.items() if ref.kind == b"tag"}
        led = self._checkout.tags(tags)
        found = [Followed(full, tags[full].oid, *led[full]) for full in led]
        for full, ref in new.items():
            if ref.kind != b"tag":
                commit = ref.oid if ref.kind == b"commit" else None
                found.append(Followed(full, ref.oid, commit, ()))
        return found

    def _bring(self, tips: set[bytes | None], there: set[bytes], progress: Progress) -> None:
        """Import what tips have beyond what both held, as far as Git still has that."""
        name, git = self._importer.name, self._checkout.git
        lacking = [tip for tip in tips if tip and name(tip) is None]
        if lacking:
            commits = Commits(self._copy.repository, git, there)
            known = {agreed.oid for agreed in self._step.refs.values()}
            known = {oid for oid in known if name(oid) is not None and oid in commits}
            listed = list_commits(git, sorted(lacking), sorted(known))
            self._importer.bring(listed, self._stamp, progress)

    def _own(self, ref: Ref) -> Target | None:
        move = self._moves.get(ref)
        return self._copy.repository.refs.get(ref) if move is None else move.after

    def _move(self, ref: Ref, after: Target | None) -> None:
        before = self._copy.repository.refs.get(ref)
        if before != after:
            self._moves[ref] = Move(ref, before, after)

    def _taken(self, ref: Followed) -> Agreed:
        """Make a name follow a ref; return what both hold then."""
        theirs = self._importer.name(ref.commit) if ref.commit else None
        own = ref_of(ref.full)
        if theirs is None or own is None:
            return Agreed(ref.oid, b"")
        before = self._own(own)
        after = theirs
        if own.kind == BOOKMARK and before is not None and self._has_moved(ref.full, before):
            after = self._united(own, before.state, theirs)
        elif own.kind == BOOKMARK and before is not None:
            self._tell_what_is_lost(own, before.state, theirs)
        fields = tag_fields(ref.tags) if own.kind == TAG else before.extra if before else ()
        if before is None or before.state != after or own.kind == TAG:
            self._move(own, Target(after, fields))
        return Agreed(ref.oid, packed(theirs))

    def _has_moved(self, full: bytes, own: Target) -> bool:
        """Return whether oxy moved a name too since both were in step."""
        was = self._step.refs.get(full)
        return own.state != NOTHING and (was is None or was.state != packed(own.state))

    def _united(self, ref: Ref, own: Name, theirs: Name) -> Name:
        """Return what a name is to hold that both sides moved."""
        states = self._copy.repository.states
        here, there = states.members(own), states.members(theirs)
        if here <= there or there <= here:
            return theirs if here <= there else own
        self._said.append((ref.name, " moved in git and here: it has what both have now"))
        self._joined[ref.name] = states.join((own, theirs))
        return self._joined[ref.name]

    def _tell_what_is_lost(self, ref: Ref, own: Name, theirs: Name) -> None:
        states = self._copy.repository.states
        lost = len(states.members(own) - states.members(theirs))
        if lost:
            what = "1 change" if lost == 1 else f"{lost} changes"
            told = f"git took {what} out of ", ref.name, "; `oxy op log` has the states before"
            self._said.append(told)

    def _gone(self, full: bytes) -> None:
        """Drop a name whose ref is gone, unless oxy moved it."""
        ref = ref_of(full)
        own = None if ref is None else self._own(ref)
        if ref is not None and own is not None and not self._has_moved(full, own):
            self._move(ref, None)

    def _take_head(self, head: Head) -> None:
        """Let the working copy be of what HEAD holds, if git moved that and oxy did not."""
        refs = self._copy.repository.refs
        here = refs.get(HERE) or Target(NOTHING)
        is_own = here.state != NOTHING and pack_target(here) != self._step.here
        if is_own or tuple(head) == self._step.head:
            return
        is_branch = head.branch.startswith(HEADS)
        name = mapped(head.branch.removeprefix(HEADS)) if is_branch else None
        state = (self._importer.name(head.oid) if head.oid else None) or NOTHING
        goal = Target(state, (), name)
        if not here.is_like(goal) or refs.get(HERE) is None:
            self._moves[HERE] = Move(HERE, refs.get(HERE), goal)
        if name is not None and self._own(Ref(BOOKMARK, name)) is None:
            self._move(Ref(BOOKMARK, name), Target(state))

    def _write(self) -> None:
        moves = list(self._moves.values())
        if HERE in self._moves:
            stay(self._copy, self._stamp(), moves, have_come=True)
        elif moves:
            with writing(self._copy.repository, self._stamp()) as work:
                for move in moves:
                    work.move(move.ref, move.after)

    def _go_along(self) -> None:
        """Go to what the bookmark holds by now, if it was joined and nothing is in the way.

        The files that git or oxy wrote are there already, and what is edited is carried along.
        """
        here = self._copy.repository.refs.get(HERE)
        if here is None or here.bookmark not in self._joined:
            return
        goal = here._replace(state=self._joined[here.bookmark])
        with suppress(RequestError, StateError):
            go(self._copy, self._stamp(), [Move(HERE, here, goal)], here.bookmark or b"")


def take(
    copy: WorkingCopy,
    checkout: Checkout,
    step: Step,
    sides: tuple[Mapping[bytes, Held], Head],
    stamp: Callable[[], Stamp],
    progress: Progress,
) -> Taken:
    """Let oxy's side follow what git moved.

    Args:
        copy: the working copy.
        checkout: Git's side.
        step: where both were when they were in step.
        sides: Git's refs and HEAD.
        stamp: tells the time and who, for the operation log.
        progress: told of commits.

    Cost: what is new, and the tree of each commit that it begins at.

    Raises:
        GitError, MissingObjectError: git cannot tell.
        SwitchInterruptedError: the files are in between two states.
        StoreLockedError: another process is writing.
    """
    with closing(Taker(copy, checkout, step, stamp)) as taker:
        return taker.run(*sides, progress)
