"""Put a change before or after another (spec: command-line, reorder; states, S12)."""

from pyroaring import BitMap

from oxy.actions.membership import member
from oxy.actions.rewriting import Outcome, Request, carry_out, words_of
from oxy.errors import RequestError
from oxy.repo.repository import Repository
from oxy.repo.rewriting.steps import Plan, Step, holding
from oxy.repo.states import Name
from oxy.worktree.workcopy import WorkingCopy


class SamePlaceError(RequestError):
    """A change cannot stand before or after itself."""

    def __init__(self) -> None:
        super().__init__("a change has its place before and after others only")


def reorder(
    copy: WorkingCopy, called: bytes, other: bytes, *, is_after: bool, is_trial: bool = False
) -> Outcome | None:
    """Record a change as if it had been recorded just before or after another.

    Returns:
        What came of it; None where it stands there already.

    Raises:
        NotHereError: one of them is not in the state of the working copy.
        SamePlaceError: they are the same.
        NeededError: one depends on the other, or on what stands between.
    """
    copy.look()
    clock = copy.clock()
    change, pivot = member(copy, called), member(copy, other)
    if change == pivot:
        raise SamePlaceError
    repository, state = copy.repository, copy.base.state
    if _is_there(repository, *((pivot, change) if is_after else (change, pivot))):
        return None
    plan = (after if is_after else before)(repository, state, change, pivot)
    words = words_of(b"reorder", repository, [change])
    return carry_out(copy, Request(words, is_trial, clock), lambda _: plan)


def _is_there(repository: Repository, first: int, second: int) -> bool:
    return repository.states.link(second).context.heads == (first,)


def _between(repository: Repository, state: Name, one: int, other: int) -> BitMap:
    """Return what knows one change and is known by another, within a state."""
    states = repository.states
    known = states.members(states.link(other).context) & states.members(state)
    return holding(states, known, [one])


def before(repository: Repository, state: Name, change: int, pivot: int) -> Plan:
    """Return how a change comes to stand before another."""
    states = repository.states
    follower = Step((pivot,), pivot, after=(0,), without=frozenset({change}))
    if change in states.members(states.link(pivot).context):
        between = _between(repository, state, change, pivot)
        step = Step((change,), change, context=pivot)
        without = dict.fromkeys(between, frozenset({change}))
        return Plan(state, (step, follower), without)
    between = _between(repository, state, pivot, change)
    step = Step((change,), change, without=frozenset({pivot, *between}))
    return Plan(state, (step, follower))


def after(repository: Repository, state: Name, change: int, pivot: int) -> Plan:
    """Return how a change comes to stand after another."""
    states = repository.states
    if change in states.members(states.link(pivot).context):
        between = _between(repository, state, change, pivot)
        gone = frozenset({change})
        steps = (
            Step((pivot,), pivot, without=gone),
            Step((change,), change, context=pivot, after=(0,)),
        )
        return Plan(state, steps, dict.fromkeys(between, gone))
    between = _between(repository, state, pivot, change)
    step = Step((change,), change, without=frozenset(between), knows=(pivot,))
    return Plan(state, (step,), knows=dict.fromkeys(between, (change,)))
