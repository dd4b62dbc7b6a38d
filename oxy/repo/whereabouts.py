"""The nodes that are or were at a path, and the changes that touch them (spec: states, S60).

Where a node is follows from the tree. Where it was is noted when a change takes it from there:
so nothing is searched, and a commit that moves and deletes nothing notes nothing.
"""

from collections.abc import Iterable, Iterator
from oxy.typed import Final

from pyroaring import BitMap

from oxy.model.operation import PLACE
from oxy.repo.directories import Ways, moved_ever, parted, under
from oxy.repo.many import registers_of
from oxy.repo.registers import Registers
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import CHANGED, LEFT, key, number, unpack_numbers
from oxy.repo.tree import Directory, files, subtree
from oxy.repo.trees import tree_of

_ALIKE: Final = 8
"""A node's changes are looked up where changes are at least so many times as many as nodes."""

_TOGETHER: Final = 256
_TAIL: Final = 5
"""Bytes of a key behind the place: NUL and the number of the node."""


def nodes_ever_at(repository: Repository, name: Name, path: bytes) -> BitMap:
    """Return the nodes that a state has at a path or below it, or that it once had there.

    Cost: what is below the path, and what left it.
    """
    tree = tree_of(repository, name)
    found = BitMap()
    for shown in {path, *_moved_from(repository, name, path)}:
        found |= _at(tree, shown)
    wanted = {path, *_identities(repository, name, path)}
    left = BitMap(_left(repository, wanted)) - found
    state = repository.states.members(name)
    # Some left it in changes alone that this state does not have.
    for node, registers in registers_of(repository.nodes, left):
        if any(_is_below(place, way) for place in _places(registers, state) for way in wanted):
            found.add(node)
    return found


def _at(tree: Directory, path: bytes) -> BitMap:
    at = subtree(tree, path)
    entries = (entry for _, entry in files(at)) if isinstance(at, Directory) else (at,)
    return BitMap(
        node for entry in entries if entry is not None for node in (entry.node, *entry.twins)
    )


def _moved_from(repository: Repository, name: Name, path: bytes) -> Iterator[bytes]:
    """Yield the paths where directories show that were once at a path, above or below it."""
    ever = moved_ever(repository.store)
    if not ever:
        return
    state = repository.states.members(name)
    ways = Ways(ever, state, repository.nodes.rank)
    for identity, registers in ever.items():
        now = ways.directory(identity).path
        own = b"/".join(part for part, _ in parted(identity))
        for place in {own, *_places(registers, state)}:
            if _is_below(path, place):
                yield now + path[len(place) :]
            elif _is_below(place, path):
                yield now


def _left(repository: Repository, wanted: Iterable[bytes]) -> Iterator[int]:
    """Yield the nodes that some change took from a place or from below it."""
    for place in wanted:
        for row_key, _ in repository.store.rows(LEFT, place):
            if _is_below(row_key[:-_TAIL], place):
                yield number(row_key)


def _identities(repository: Repository, name: Name, path: bytes) -> Iterator[bytes]:
    """Yield the places whose path that is, where directories were moved."""
    ever = moved_ever(repository.store)
    if ever:
        ways = Ways(ever, repository.states.members(name), repository.nodes.rank)
        above, _, last = path.rpartition(b"/")
        yield under(ways.at(above), last)
        yield ways.at(path)


def _is_below(place: bytes, path: bytes) -> bool:
    return not path or place == path or place.startswith(path + b"/")


def _places(registers: Registers, state: BitMap) -> Iterator[bytes]:
    for write in registers.writes:
        if write.register == PLACE and write.change in state and isinstance(write.value, bytes):
            yield write.value


def changes_of(repository: Repository, nodes: BitMap, state: BitMap) -> BitMap:
    """Return the changes of a state that touch any of some nodes, or move them along.

    Cost: a row for each such change; where nodes are many, a row for each change of the state.
    """
    if len(nodes) * _ALIKE <= len(state) or len(nodes) == 1:
        touching = (c for node in nodes for c, _ in repository.nodes.touching(node))
        found = BitMap(touching) & state
    else:
        found = BitMap(_changing(repository, nodes, state))
    return found | BitMap(_moving(repository, nodes, state))


def _changing(repository: Repository, nodes: BitMap, state: BitMap) -> Iterator[int]:
    members = list(state)
    for start in range(0, len(members), _TOGETHER):
        some = members[start : start + _TOGETHER]
        rows = repository.store.rows_many(CHANGED, map(key, some))
        for change in some:
            if not nodes.isdisjoint(BitMap(unpack_numbers(rows.get(key(change), b"")))):
                yield change


def _moving(repository: Repository, nodes: BitMap, state: BitMap) -> Iterator[int]:
    """Yield the changes that move directories which the nodes were ever in."""
    ever = moved_ever(repository.store)
    if not ever:
        return
    work = [
        place
        for _, registers in registers_of(repository.nodes, nodes)
        for place in _places(registers, state)
    ]
    seen: set[bytes] = set()
    while work:
        for directory in _above(work.pop()):
            if directory not in seen:
                seen.add(directory)
                moves = ever.get(directory, Registers(0))
                work += _places(moves, state)
                yield from (write.change for write in moves.writes if write.change in state)


def _above(place: bytes) -> Iterable[bytes]:
    """Yield the directories above a place."""
    while place := place.rpartition(b"/")[0]:
        yield place
