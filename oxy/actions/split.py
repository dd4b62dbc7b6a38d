"""Make two changes of one, by the files that they touch (spec: command-line, split; S12)."""

from collections.abc import Iterator, Sequence

from oxy.actions.rewriting import Outcome, Request, carry_out, member, words_of
from oxy.errors import RequestError
from oxy.repo.repository import Repository
from oxy.repo.rewriting.parts import Key, take_apart
from oxy.repo.rewriting.steps import Plan, Step
from oxy.repo.standing import standing
from oxy.worktree.workcopy import WorkingCopy


class NoPartError(RequestError):
    """The paths that are named leave one of the two changes empty."""

    def __init__(self, *, is_whole: bool) -> None:
        what = "everything that the change did" if is_whole else "nothing that the change did"
        super().__init__(f"the paths hold {what}: there is nothing to split off")
        self.is_whole = is_whole


def split(
    copy: WorkingCopy,
    called: bytes,
    paths: Sequence[bytes],
    message: bytes | None = None,
    *,
    is_trial: bool = False,
) -> Outcome:
    """Record a change as two: first what it did at some paths, then the rest.

    Args:
        copy: the working copy.
        called: the change.
        paths: files and directories, as the change left or found them.
        message: that of the first one; else both have that of the change.
        is_trial: whether to take it back at once.

    Raises:
        NotHereError: the change is not in the state of the working copy.
        NoPartError: one of the two would be empty.
    """
    copy.look()
    clock = copy.clock()
    change = member(copy, called)
    repository = copy.repository
    first = frozenset(_at(repository, change, paths))
    rest = frozenset(take_apart(repository, change).parts) - first
    if not first or not rest:
        raise NoPartError(is_whole=bool(first))
    steps = (
        Step((change,), change, keys=first, message=message),
        Step((change,), change, keys=rest, after=(0,)),
    )
    request = Request(words_of(b"split", repository, [change]), is_trial, clock)
    return carry_out(copy, request, lambda _: Plan(copy.base.state, steps))


def _at(repository: Repository, change: int, paths: Sequence[bytes]) -> Iterator[Key]:
    """Yield the nodes that a change touches at some paths."""
    states, nodes = repository.states, repository.nodes
    after, before = states.of_change(change), states.members(states.link(change).context)
    for key in take_apart(repository, change).parts:
        if isinstance(key, int):
            held = {standing(nodes, key, state).seen.path for state in (before, after)}
        else:
            held = {b"/".join(name for name, _ in key)}
        if any(_is_under(path, paths) for path in held if path is not None):
            yield key


def _is_under(path: bytes, paths: Sequence[bytes]) -> bool:
    return any(not top or path == top or path.startswith(top + b"/") for top in paths)
