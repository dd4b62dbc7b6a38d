"""What a state is called by the nearest tag (spec: command-line, L69)."""

import os
from oxy.typed import NamedTuple

from oxy.errors import RequestError
from oxy.model.digest import short
from oxy.repo.refs import TAG
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE


class NoTagAtAllError(RequestError):
    """A state holds all changes of no tag."""

    def __init__(self) -> None:
        super().__init__("no tag is of this state, or of one that it came from")


class Described(NamedTuple):
    """The nearest tag, how many changes came since, and the ids of the newest ones.

    The tag is None where there is none.
    """

    tag: bytes | None
    changes: int
    heads: tuple[bytes, ...]

    @property
    def name(self) -> str:
        """The tag; with what came since also their number and the newest ids."""
        ids = "+".join(map(short, self.heads))
        if self.tag is None:
            return ids
        tag = os.fsdecode(self.tag)
        return f"{tag}-{self.changes}-{ids}" if self.changes else tag


def describe(repository: Repository, state: Name, *, always: bool = False) -> Described:
    """Return the tag whose state lacks the fewest changes of a state and has none beside.

    Of tags that are as near, it is the one whose name comes last.

    Cost: for each tag, its state; of most that is a difference of bitmaps.

    Raises:
        NoTagAtAllError: there is none, and nothing else is to be told.
    """
    states, members = repository.states, repository.states.members(state)
    heads = tuple(sorted(repository.store.ids_of(CHANGE, state.heads)))
    near: list[tuple[int, bytes]] = []
    for name, target in repository.refs.all(TAG):
        if all(head in members for head in target.state.heads):
            held = states.members(target.state)
            if held <= members:
                near.append((len(held), name))
    if near:
        size, name = max(near)
        return Described(name, len(members) - size, heads)
    if not always or not heads:
        raise NoTagAtAllError
    return Described(None, len(members), heads)
