"""The log of a state: its changes, newest first (spec: states, S16)."""

from collections.abc import Iterator
from itertools import islice
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.actions.newest import Newest, Step
from oxy.actions.straight import in_order
from oxy.model.change import Header
from oxy.repo.exported import commit_of_change, is_any
from oxy.repo.origin import git_commit
from oxy.repo.replaced import replaced_by_header, successors
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import REPLACED
from oxy.store.protocol import CHANGE


class Entry(NamedTuple):
    """One change in a log.

    `parents` are for drawing: the numbers of the changes of this log that it was recorded on,
    that of most history first; where it was taken without them, the newest ones that it depends
    on. `git` is the id of the Git commit that the change came from, or that it was made into.
    """

    change: int
    id: bytes
    header: Header
    parents: tuple[int, ...]
    git: bytes | None
    replaces: tuple[bytes, ...] = ()
    replaced_by: tuple[bytes, ...] = ()


def log(
    repository: Repository,
    state: Name | BitMap,
    limit: int | None = None,
    *,
    draws: bool = False,
) -> Iterator[Entry]:
    """Yield the changes of a state, or of any set, newest first, at most `limit` of them.

    Parents are there if it is to be drawn.
    Cost: what is taken from it; a long history is not read whole for its first entries.
    """
    facts = Facts(repository)
    if draws:
        walk = Newest(repository, state)
        for step in islice(walk, limit):
            yield facts.entry(*step[:3], _parents(repository, walk, step))
        return
    for change, name, header in islice(in_order(repository, state), limit):
        if header.extra or facts.are_any:
            yield facts.entry(change, name, header, ())
        else:
            yield Entry(change, name, header, (), None)


class Facts:
    """What is known of changes beside their headers.

    Where no change was ever replaced, or made into a commit, none is asked about it.
    """

    __slots__ = ("_is_exported", "_is_rewritten", "_repository")

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._is_rewritten = next(repository.store.rows(REPLACED), None) is not None
        self._is_exported = is_any(repository)

    @property
    def are_any(self) -> bool:
        """Whether there may be some of a change whose header tells nothing more."""
        return self._is_rewritten or self._is_exported

    def entry(
        self, change: int, name: bytes, header: Header, parents: tuple[int, ...]
    ) -> Entry:
        """Return a change as the log has it. Cost: a look-up of each kind that there is."""
        store = self._repository.store
        newer = successors(store, name) if self._is_rewritten else []
        replaced_by = tuple(store.ids_of(CHANGE, newer)) if newer else ()
        git = git_commit(header)
        if git is None and self._is_exported:
            git = commit_of_change(self._repository, name)
        replaces = replaced_by_header(header)
        return Entry(change, name, header, parents, git, replaces, replaced_by)


def _parents(repository: Repository, walk: Newest, step: Step) -> tuple[int, ...]:
    states, (context, deps) = repository.states, step.link
    found = [head for head in context.heads if head in walk.state] or [
        dep
        for dep in deps
        if dep in walk.state
        and not any(other > dep and dep in states.of_change(other) for other in deps)
    ]
    if len(found) > 1:
        rank = repository.store.id_of
        found.sort(key=lambda change: (-len(states.of_change(change)), rank(CHANGE, change)))
    return tuple(found)
