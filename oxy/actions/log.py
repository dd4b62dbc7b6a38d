"""The log of a state: its changes, newest first (spec: states, S16)."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from oxy.actions.newest import Newest, Step
from oxy.actions.origin import git_commit
from oxy.model.change import Header
from oxy.repo.repository import Repository
from oxy.repo.states import Name


class Entry(NamedTuple):
    """One change in a log.

    `parents` are the changes of this log that it was recorded on; where it was taken without
    them, the newest ones that it depends on. They are for drawing, and numbers. `git` is the id
    of the Git commit that the change came from.
    """

    change: int
    id: bytes
    header: Header
    parents: tuple[int, ...]
    git: bytes | None


def log(repository: Repository, state: Name, limit: int | None = None) -> Iterator[Entry]:
    """Yield the changes of a state, newest first, at most `limit` of them.

    Cost: what is taken from it; a long history is not read whole for its first entries.
    """
    walk = Newest(repository, state)
    for step in islice(walk, limit):
        yield Entry(*step[:3], _parents(repository, walk, step), git_commit(step.header))


def _parents(repository: Repository, walk: Newest, step: Step) -> tuple[int, ...]:
    heads = tuple(head for head in step.link.context.heads if head in walk.state)
    if heads:
        return heads
    states, deps = repository.states, step.link.deps
    return tuple(
        dep
        for dep in deps
        if dep in walk.state
        and not any(other > dep and dep in states.of_change(other) for other in deps)
    )
