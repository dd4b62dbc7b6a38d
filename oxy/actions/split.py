"""Make two changes of one, by what it did to files or hunks (spec: states, S46)."""

from collections.abc import Callable, Iterable, Sequence
from oxy.typed import NamedTuple

from oxy.actions.doings import HUNKS_OF, Doing, doings
from oxy.actions.membership import member
from oxy.actions.rewriting import Outcome, Request, carry_out, words_of
from oxy.errors import RequestError
from oxy.model.operation import FINAL_LF
from oxy.repo.repository import Repository
from oxy.repo.rewriting.parts import Key, Share, take_apart
from oxy.repo.rewriting.steps import Plan, Step
from oxy.repo.states import Name
from oxy.worktree.hunks import Chosen, FileHunks, Pick, choices, is_whole
from oxy.worktree.workcopy import WorkingCopy

Choose = Callable[[Iterable[Doing]], Iterable[Pick]]
"""Chooses among the hunks of what a change did."""


class NoPartError(RequestError):
    """What is to be split off leaves one of the two changes empty."""

    def __init__(self, *, is_whole: bool) -> None:
        what = "everything" if is_whole else "nothing"
        super().__init__(f"that is {what} that the change did: there is nothing to split off")
        self.is_whole = is_whole


class Wish(NamedTuple):
    """Which change to split, and what goes into the first of the two.

    `paths` are files and directories, as the change left or found them; none is everything.
    `choose` chooses among what it did there. `message` is that of the first one, if not that of
    the change, which the rest keeps.
    """

    called: bytes
    paths: Sequence[bytes] = ()
    message: bytes | None = None
    is_trial: bool = False
    choose: Choose | None = None


class _Halves(NamedTuple):
    """By its node, what goes into the first, and what stays of those that are divided."""

    first: set[Key]
    shares: dict[Key, tuple[Share, Share]]


def split(copy: WorkingCopy, wish: Wish) -> Outcome:
    """Record a change as two: first what is chosen of what it did, then the rest.

    Raises:
        NotHereError: the change is not in the state of the working copy.
        NoHunkError: a hunk that was chosen is not there.
        NoPartError: one of the two would be empty.
        LostPlaceError: a text cannot be divided so.
    """
    copy.look()
    clock = copy.clock()
    repository = copy.repository
    change = member(copy, wish.called)
    plan = dividing(repository, copy.base.state, change, wish)
    request = Request(words_of(b"split", repository, [change]), wish.is_trial, clock)
    return carry_out(copy, request, lambda _: plan)


def dividing(repository: Repository, state: Name, change: int, wish: Wish) -> Plan:
    """Return how a change of a state becomes two.

    Raises:
        NoHunkError, NoPartError: as `split`.
    """
    found = list(doings(repository, change, wish.paths))
    if wish.choose is None:
        halves = _Halves({doing.key for doing in found}, {})
    else:
        halves = _chosen(found, wish.choose(found))
    first, shares = halves
    rest = take_apart(repository, change).parts.keys() - first
    if not (first or shares) or not rest:
        raise NoPartError(is_whole=bool(first or shares))
    steps = (
        Step(
            (change,),
            change,
            keys=frozenset(first | shares.keys()),
            shares={key: share for key, (share, _) in shares.items()},
            message=wish.message,
        ),
        Step(
            (change,),
            change,
            after=(0,),
            keys=frozenset(rest),
            shares={key: share for key, (_, share) in shares.items()},
        ),
    )
    return Plan(state, steps)


def _chosen(found: Sequence[Doing], picks: Iterable[Pick]) -> _Halves:
    halves = _Halves(set(), {})
    told = choices((doing.file for doing in found), picks)
    for doing, (file, chosen) in zip(found, told, strict=True):
        if chosen and is_whole(file, chosen):
            halves.first.add(doing.key)
        elif chosen:
            halves.shares[doing.key] = _shared(file, chosen)
    return halves


def _shared(file: FileHunks, chosen: Chosen) -> tuple[Share, Share]:
    """Return what goes into the first of what was done to a text, and what into the second.

    Whether it ends in LF goes with the edit of its last line.
    """
    kinds = {hunk.kind for hunk in file.hunks if hunk.number in chosen}
    every = [edit for hunk in file.hunks for edit in hunk.edits]
    wanted = [edit for _, found in sorted(chosen.items()) for edit in found]
    own = {register for register, kind in HUNKS_OF.items() if kind in kinds}
    if wanted[-1:] == every[-1:]:
        own.add(FINAL_LF)
    others = {*HUNKS_OF, FINAL_LF} - own
    if wanted == every:
        return Share(frozenset(own)), Share(frozenset(others), ())
    return Share(frozenset(own), tuple(wanted)), Share(frozenset(others))
