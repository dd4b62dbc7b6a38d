"""Moves of directories as a change records them (spec: names, N14, N15)."""

import os

from pyroaring import BitMap

from oxy.errors import RequestError
from oxy.model.operation import PLACE
from oxy.repo.directories import Moving, Ways, moved_ever
from oxy.repo.registers import Registers
from oxy.repo.repository import Repository
from oxy.repo.standing import placed
from oxy.repo.states import Name
from oxy.repo.tree import Directory, files, subtree
from oxy.repo.trees import tree_of


class IntoItselfError(RequestError):
    """A directory is to be moved to a path below its own."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path) or 'the root'} cannot be moved into itself")
        self.path = path


def moving(repository: Repository, name: Name, old: bytes, new: bytes) -> tuple[Moving, ...]:
    """Return what brings the directory at one path of a state to another.

    That is a move for each of the directories that show as one there; none where nothing is.
    Cost: the files below, and the directories that were ever moved.

    Raises:
        IntoItselfError: the new path is below the old one.
    """
    if new == old or new.startswith(old + b"/"):
        raise IntoItselfError(old)
    below = subtree(tree_of(repository, name), old)
    if not isinstance(below, Directory):
        return ()
    nodes, state = repository.nodes, repository.states.members(name)
    moved = moved_ever(nodes.reader)
    ways = Ways(moved, state, nodes.rank)
    found: set[bytes] = set()
    for _, entry in files(below):
        for node in (entry.node, *entry.twins):
            found.update(_showing(ways, placed(nodes, node, state).seen.path or b"", old))
    return tuple(
        Moving(one, new, moved.get(one, Registers(0)).live_writes(PLACE, state))
        for one in sorted(found)
    )


def moved_back(repository: Repository, change: int, state: BitMap) -> tuple[Moving, ...]:
    """Return what takes the moves of directories by a change back, where they still hold.

    Cost: the directories that were ever moved.
    """
    nodes, states = repository.nodes, repository.states
    moved = moved_ever(nodes.reader)
    context = states.members(states.link(change).context)
    before, now = (Ways(moved, members, nodes.rank) for members in (context, state))
    return tuple(
        Moving(identity, now.path(before.place(identity)), (change,))
        for identity, registers in sorted(moved.items())
        if change in registers.live_writes(PLACE, state)
    )


def _showing(ways: Ways, place: bytes, path: bytes) -> list[bytes]:
    """Return the directories above a place, as they show, that show at a path."""
    above: dict[bytes, None] = {}
    # Directories may lie in a circle.
    while (place := ways.above(place)) and place not in above:
        above[place] = None
    return [one for one in above if ways.directory(one).path == path]
