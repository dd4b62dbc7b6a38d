"""What became of changes that another repository took back (spec: states, S13)."""

from oxy.typed import NamedTuple

from oxy.model.digest import ChangeId
from oxy.repo.replaced import every
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE


class Followed(NamedTuple):
    """A change that is there no more, and those that stand in for it now."""

    old: ChangeId
    new: tuple[ChangeId, ...]


def followed(repository: Repository, tracked: Name, remote: Name) -> list[Followed]:
    """Return what became of the changes that another repository took back.

    Args:
        repository: it has the changes of both states.
        tracked: what the other was last seen to hold.
        remote: what it holds now.

    Returns:
        Those for which others of its changes stand, in order of arrival.

    Cost: a look-up for each change that it took back.
    """
    states, store = repository.states, repository.store
    there = states.members(remote)
    found = []
    for change in states.members(tracked) - there:
        old = ChangeId(store.id_of(CHANGE, change))
        new = [number for number in every(store, old) if number in there]
        if new:
            found.append(Followed(old, tuple(map(ChangeId, store.ids_of(CHANGE, new)))))
    return found
