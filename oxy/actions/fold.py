"""Make one change of several (spec: command-line, fold; states, S12)."""

from collections.abc import Sequence

from pyroaring import BitMap

from oxy.actions.membership import member
from oxy.actions.rewriting import Outcome, Request, carry_out, words_of
from oxy.errors import RequestError
from oxy.repo.repository import Repository
from oxy.repo.rewriting.steps import Plan, Step, holding
from oxy.repo.states import Name
from oxy.worktree.workcopy import WorkingCopy


class OneChangeError(RequestError):
    """Several changes are needed to make one of them."""

    def __init__(self) -> None:
        super().__init__("one change alone cannot be folded: name two or more")


def fold(
    copy: WorkingCopy,
    called: Sequence[bytes],
    into: bytes | None = None,
    message: bytes | None = None,
    *,
    is_trial: bool = False,
) -> Outcome:
    """Record several changes as one.

    It stands where `into` stood, or else the first of them, and has its author and time.
    Without a message it has that of `into`, or else all of theirs, as paragraphs.

    Raises:
        NotHereError: a change is not in the state of the working copy.
        OneChangeError: there is only one.
        NeededError: one depends on what is between.
        LostPlaceError: what one did to a file cannot be said there.
    """
    copy.look()
    clock = copy.clock()
    changes = {member(copy, name) for name in called}
    at = min(changes) if into is None else member(copy, into)
    changes.add(at)
    if len(changes) == 1:
        raise OneChangeError
    sources = tuple(sorted(changes))
    repository = copy.repository
    if message is None and into is None:
        messages = [header.message.strip() for _, header in repository.headers(list(sources))]
        message = b"\n\n".join(messages)
    plan = folding(repository, copy.base.state, sources, at, message)
    request = Request(words_of(b"fold", repository, sources), is_trial, clock)
    return carry_out(copy, request, lambda _: plan)


def folding(
    repository: Repository,
    state: Name,
    sources: tuple[int, ...],
    at: int,
    message: bytes | None,
) -> Plan:
    """Return how changes of a state become one where one of them stands.

    What stands between an earlier one and that place is not to know the earlier one any more.
    """
    states = repository.states
    before = states.members(states.link(at).context) & states.members(state)
    elder = [source for source in sources if source in before]
    without = {
        change: frozenset(source for source in elder if source in states.of_change(change))
        for change in holding(states, before, elder) - BitMap(sources)
    }
    return Plan(state, (Step(sources, at, message=message),), without)
