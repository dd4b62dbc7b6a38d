"""The log of a state: its changes, newest first (spec: states, S16)."""

from collections.abc import Iterator
from itertools import islice
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.actions.newest import Newest, Step
from oxy.actions.straight import in_order
from oxy.model.change import Header
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
    on. `git` is the id of the Git commit that the change came from.
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
    # Where nothing was ever replaced, no change is asked about it.
    is_rewritten = next(repository.store.rows(REPLACED), None) is not None
    if draws:
        walk = Newest(repository, state)
        for step in islice(walk, limit):
            parents = _parents(repository, walk, step)
            yield entry(repository, *step[:3], parents, is_rewritten=is_rewritten)
        return
    for change, name, header in islice(in_order(repository, state), limit):
        if header.extra or is_rewritten:
            yield entry(repository, change, name, header, (), is_rewritten=is_rewritten)
        else:
            yield Entry(change, name, header, (), None)


def entry(
    repository: Repository,
    change: int,
    name: bytes,
    header: Header,
    parents: tuple[int, ...],
    *,
    is_rewritten: bool = True,
) -> Entry:
    """Return a change as the log has it.

    Cost: a look-up of what stands in for it, unless nothing ever does.
    """
    store = repository.store
    newer = successors(store, name) if is_rewritten else []
    replaced_by = tuple(store.ids_of(CHANGE, newer)) if newer else ()
    replaces = replaced_by_header(header)
    return Entry(change, name, header, parents, git_commit(header), replaces, replaced_by)


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
