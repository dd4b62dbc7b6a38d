"""Record changes as if on another state (spec: command-line, rebase; states, S12)."""

from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.actions.arriving import arrive
from oxy.actions.clock import now
from oxy.actions.going import Went
from oxy.actions.identity import operator
from oxy.actions.membership import member
from oxy.actions.naming import resolve
from oxy.actions.outcome import Conflict, conflicts_in
from oxy.actions.rewriting import Outcome, at_once, outcome_of
from oxy.actions.words import HERE_NAME
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.replaced import every
from oxy.repo.repository import Repository
from oxy.repo.rewriting.engine import rewrite
from oxy.repo.rewriting.steps import Plan, Step, holding
from oxy.repo.states import Name
from oxy.repo.trees import tree_of
from oxy.repo.writing import Stamp, Writing
from oxy.store.protocol import CHANGE
from oxy.worktree.workcopy import WorkingCopy


class Rebased(NamedTuple):
    """What came of it, the changes that the bookmark does not hold any more, and the files.

    `conflicts` are those of the new state, if it was more than tried. The files stay where they
    are where another bookmark was rebased, or it was only tried.
    """

    outcome: Outcome
    left_out: tuple[bytes, ...]
    went: Went | None
    conflicts: tuple[Conflict, ...] = ()


class _Subject(NamedTuple):
    """What is moved: a bookmark's state, if it is not that of the files, and its changes.

    Those that others of the target stand in for are not moved, but followed.
    """

    ref: Ref | None
    state: Name
    moved: BitMap
    follows: dict[int, tuple[int, ...]]


def rebase(
    copy: WorkingCopy, called: bytes | None, onto: bytes, *, is_trial: bool = False
) -> Rebased | None:
    """Record changes anew as if they had been recorded on another state.

    Args:
        copy: the working copy.
        called: a change, which goes with all that know it; or a bookmark; None is the state of
            the files. What the other state has stays there.
        onto: the other state.
        is_trial: whether to take it back at once.

    What the changes depend on may have been replaced by changes of the other state: then they
    come to depend on these.

    Returns:
        None where all of it stands there already.

    Raises:
        UnknownStateError, AmbiguousError, NotHereError: nothing here is called so.
        NeededError: a change depends on one that would not be there.
        WouldOverwriteError: edits or untracked files are in the way; no name has moved.
    """
    copy.look()
    repository = copy.repository
    target = resolve(repository, onto).state
    subject = _subject(copy, HERE_NAME if called is None else called, target)
    if not subject.follows and _is_there(repository, subject, target):
        return None
    steps = tuple(Step((change,), change) for change in subject.moved)
    plan = Plan(subject.state, steps, onto=target, follows=subject.follows)
    stamp = Stamp(*now(), operator(), b"rebase " + onto)
    bookmark = copy.base.bookmark if subject.ref is None else subject.ref.name
    reached = Name()

    def act(work: Writing) -> Outcome:
        nonlocal reached
        done = rewrite(work, plan)
        reached = done.state
        if subject.ref is not None:
            held = repository.refs.get(subject.ref)
            work.move(subject.ref, Target(reached, held.extra if held else ()))
        return outcome_of(repository, bookmark, plan, done)

    outcome = at_once(repository, stamp, act, is_trial=is_trial)
    left_out = _left_out(repository, subject, target)
    if is_trial:
        return Rebased(outcome, left_out, None)
    went = None
    if subject.ref is None:
        went = arrive(copy, stamp, reached, HERE_NAME if bookmark is None else bookmark)
    return Rebased(outcome, left_out, went, conflicts_in(tree_of(repository, reached)))


def _subject(copy: WorkingCopy, called: bytes, target: Name) -> _Subject:
    repository, base = copy.repository, copy.base
    states = repository.states
    named = resolve(repository, called)
    if named.ref is None or (named.ref != HERE and named.ref.kind != BOOKMARK):
        change = member(copy, called)
        follows = _follows(repository, base.state, target)
        moved = holding(states, states.members(base.state), [change]) | BitMap([change])
        moved -= states.members(target) | BitMap(follows)
        return _Subject(None, base.state, moved, follows)
    is_here = named.ref == HERE or named.ref.name == base.bookmark
    follows = _follows(repository, named.state, target)
    moved = states.members(named.state) - states.members(target) - BitMap(follows)
    return _Subject(None if is_here else named.ref, named.state, moved, follows)


def _follows(repository: Repository, state: Name, target: Name) -> dict[int, tuple[int, ...]]:
    """Return the changes of a state for which others of the target stand, with these."""
    members, store = repository.states.members, repository.store
    there = members(target)
    found = {}
    for change in members(state) - there:
        newer = every(store, store.id_of(CHANGE, change))
        if new := tuple(number for number in newer if number in there):
            found[change] = new
    return found


def _is_there(repository: Repository, subject: _Subject, target: Name) -> bool:
    """Tell whether everything that is to be moved was recorded on the state already."""
    states = repository.states
    base = states.members(target)
    if not states.members(subject.state) - subject.moved <= base:
        return False
    return all(
        states.members(states.link(change).context) - subject.moved == base
        for change in subject.moved
    )


def _left_out(repository: Repository, subject: _Subject, target: Name) -> tuple[bytes, ...]:
    states = repository.states
    gone = states.members(subject.state) - subject.moved - states.members(target)
    gone -= BitMap(subject.follows)
    return tuple(repository.store.ids_of(CHANGE, gone))
