"""Find the change that made something bad (spec: states, S39, S40).

What was answered stands in a name of its own, so that the operation log tells of it and undoing
takes an answer back together with the files.
"""

from collections.abc import Sequence
from oxy.typed import Final, NamedTuple

from oxy.actions.clock import now
from oxy.actions.going import Went, go, stay
from oxy.actions.identity import operator
from oxy.actions.log import Entry
from oxy.actions.naming import resolve, resolve_change
from oxy.actions.show import entry_of
from oxy.actions.words import HERE_NAME
from oxy.errors import RequestError
from oxy.model.digest import short
from oxy.repo.halving import halving, suspects
from oxy.repo.operations import Move
from oxy.repo.refs import BOOKMARK, HERE, SEARCH, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.sides import pack_name, unpack_name
from oxy.repo.states import Name
from oxy.repo.writing import Stamp
from oxy.worktree.workcopy import WorkingCopy

GOOD: Final = b"good"
BAD: Final = b"bad"
SKIP: Final = b"skip"

_REF: Final = Ref(SEARCH, b"")
_FIELD: Final = b"oxy.bisect."
_NAMED: Final = 20
"""Most changes that an undecided search names."""


class NotSearchingError(RequestError):
    """No search was started."""

    def __init__(self) -> None:
        super().__init__("no search is going on")


class SearchingError(RequestError):
    """A search is started while one is going on."""

    def __init__(self) -> None:
        super().__init__("a search is going on already")


class ContradictionError(RequestError):
    """With an answer no change is left that could be the one."""

    def __init__(self) -> None:
        super().__init__("no change is in every bad state and in no good one")


class Search(NamedTuple):
    """How far a search is.

    `missing` is the sort of state that has to be named before anything can be tested: good or
    bad. `left` counts the changes that it may be. `testing` is the change whose state the files
    are of, `found` the one that it is, and `undecided` are some of those that it may be where
    all that would tell was skipped.
    """

    missing: bytes | None
    left: int
    testing: Entry | None
    found: Entry | None = None
    undecided: tuple[Entry, ...] = ()
    went: Went = Went(0, 0)


class _Answers(NamedTuple):
    """Where the search began, and what was answered."""

    origin: Target
    bad: tuple[Name, ...] = ()
    good: tuple[Name, ...] = ()
    skip: tuple[Name, ...] = ()

    def with_more(self, verdict: bytes, names: Sequence[Name]) -> "_Answers":
        """Return them with more of a sort."""
        if verdict == BAD:
            return self._replace(bad=(*self.bad, *names))
        if verdict == GOOD:
            return self._replace(good=(*self.good, *names))
        return self._replace(skip=(*self.skip, *names))


def start(copy: WorkingCopy, bad: bytes | None, good: Sequence[bytes]) -> Search:
    """Begin a search from states that are known to be bad and good, as far as they are.

    Raises:
        SearchingError: one is going on.
        UnknownStateError, AmbiguousError: nothing, or too much, is called so.
        ContradictionError: no change can be it.
        WouldOverwriteError: files are in the way; nothing was done.
    """
    copy.look()
    repository = copy.repository
    if repository.refs.get(_REF) is not None:
        raise SearchingError
    origin = repository.refs.get(HERE) or Target(Name())
    answers = _Answers(origin)
    for verdict, called in ((BAD, [] if bad is None else [bad]), (GOOD, good)):
        names = [resolve(repository, each).state for each in called]
        answers = answers.with_more(verdict, names)
    return _go_on(copy, b"bisect start", answers)


def answer(copy: WorkingCopy, verdict: bytes, called: Sequence[bytes]) -> Search:
    """Say of states that they are good or bad, or of changes that theirs cannot be tested.

    Args:
        copy: the working copy.
        verdict: GOOD, BAD or SKIP.
        called: what they are called; none is what the files were made from.

    Raises:
        NotSearchingError: no search is going on.
        UnknownStateError, AmbiguousError, SeveralHeadsError: that is no single state or change.
        ContradictionError: no change can be it then; the answer is not taken.
        WouldOverwriteError: files are in the way; the answer is not taken.
    """
    copy.look()
    repository = copy.repository
    answers = _answers(repository)
    named = called or [HERE_NAME]
    if verdict == SKIP:
        names = [Name((resolve_change(repository, each),)) for each in named]
    else:
        names = [resolve(repository, each).state for each in named]
    command = b"bisect " + b" ".join([verdict, *called])
    return _go_on(copy, command, answers.with_more(verdict, names))


def standing(copy: WorkingCopy) -> Search:
    """Return how far the search is.

    Raises:
        NotSearchingError: no search is going on.
    """
    copy.look()
    return _search(copy.repository, _answers(copy.repository))


def reset(copy: WorkingCopy) -> tuple[bytes | None, Went]:
    """End the search, and go back to where it began; return the bookmark there, and the files.

    Raises:
        NotSearchingError: no search is going on.
        WouldOverwriteError: files are in the way; nothing was done.
    """
    copy.look()
    origin = _answers(copy.repository).origin
    if origin.bookmark is not None:
        held = copy.repository.refs.get(Ref(BOOKMARK, origin.bookmark))
        origin = origin._replace(bookmark=None) if held is None else origin
        if held is not None and held.state != origin.state:
            origin = Target(held.state, (), origin.bookmark)
    moves = [Move(_REF, None, None), Move(HERE, None, origin)]
    went = go(copy, _stamp(b"bisect reset"), moves, origin.bookmark or HERE_NAME)
    return origin.bookmark, went


def _go_on(copy: WorkingCopy, command: bytes, answers: _Answers) -> Search:
    """Note answers, and go to the state that is to be tested next, if one is."""
    repository = copy.repository
    search = _search(repository, answers)
    moves = [Move(_REF, None, _target(repository, answers))]
    if search.testing is None:
        stay(copy, _stamp(command), moves)
        return search
    state = repository.states.name_of_change(search.testing.change)
    moves.append(Move(HERE, None, Target(state)))
    went = go(copy, _stamp(command), moves, short(search.testing.id).encode())
    return search._replace(went=went)


def _search(repository: Repository, answers: _Answers) -> Search:
    states = repository.states
    if not answers.bad or not answers.good:
        return Search(GOOD if answers.bad else BAD, 0, None)
    left = suspects(states, answers.bad, answers.good)
    if not left:
        raise ContradictionError
    if len(left) == 1:
        return Search(None, 1, None, entry_of(repository, left[0]))
    skipped = {change for name in answers.skip for change in name.heads}
    chosen = halving(states, left, skipped)
    if chosen is not None:
        return Search(None, len(left), entry_of(repository, chosen))
    some = tuple(entry_of(repository, change) for change in list(left)[:_NAMED])
    return Search(None, len(left), None, None, some)


def _stamp(command: bytes) -> Stamp:
    return Stamp(*now(), operator(), command)


def _target(repository: Repository, answers: _Answers) -> Target:
    fields = [
        (_FIELD + verdict, pack_name(repository.store, name))
        for verdict, names in ((BAD, answers.bad), (GOOD, answers.good), (SKIP, answers.skip))
        for name in names
    ]
    origin = answers.origin
    return origin._replace(extra=(*fields, *origin.extra))


def _answers(repository: Repository) -> _Answers:
    held = repository.refs.get(_REF)
    if held is None:
        raise NotSearchingError
    extra = tuple(field for field in held.extra if not field[0].startswith(_FIELD))
    answers = _Answers(held._replace(extra=extra))
    for field, packed in held.extra:
        if field.startswith(_FIELD):
            name = unpack_name(repository.store, packed)
            answers = answers.with_more(field.removeprefix(_FIELD), [name])
    return answers
