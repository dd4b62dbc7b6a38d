"""The same changes received by other repositories in other orders, and trees told alike."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pyroaring import BitMap

from oxy.codec.decode import read
from oxy.codec.encode import node_sizes
from oxy.repo.recording import Composed
from oxy.repo.repository import Repository
from oxy.repo.tree import EMPTY, Directory, files
from oxy.repo.trees import moved
from oxy.repo.writing import writing
from oxy.store.protocol import CHANGE
from tests.builders.scribe import STAMP


class Held(NamedTuple):
    """A file of a tree, told without a number of the repository."""

    node: bytes
    kind: int
    mode: int
    disputed: int
    twins: tuple[bytes, ...]


def told(repository: Repository, root: Directory) -> dict[bytes, Held]:
    """Return what a tree holds in words that every repository shares."""
    origin = repository.nodes.origin
    return {
        path: Held(
            origin(entry.node)[0],
            entry.kind,
            entry.mode,
            entry.disputed,
            tuple(origin(twin)[0] for twin in entry.twins),
        )
        for path, entry in files(root)
    }


def copied(source: Repository, order: Sequence[int]) -> Repository:
    """Return a repository that received changes in an order."""
    copy = Repository.in_memory()
    for number in order:
        payload = source.store.read(CHANGE, number)
        change = read(payload)
        with writing(copy, STAMP) as work:
            made = Composed(change, payload, node_sizes(change.operations))
            work.store(made, work.next_change())
    return copy


def orders(repository: Repository) -> Iterator[list[int]]:
    """Yield every order in which changes follow what they name."""
    total = repository.store.count(CHANGE)
    work: list[list[int]] = [[]]
    while work:
        order = work.pop()
        if len(order) == total:
            yield order
        work += (
            [*order, change]
            for change in set(range(1, total + 1)).difference(order)
            if set(repository.states.link(change).named) <= set(order)
        )


def whole(repository: Repository) -> dict[bytes, Held]:
    """Return what the tree of everything in a repository holds."""
    everything = BitMap(range(1, repository.store.count(CHANGE) + 1))
    return told(repository, moved(repository, EMPTY, BitMap(), everything))


def agreed(repository: Repository) -> dict[bytes, Held]:
    """Return the tree of everything, once it was the same in every order of arrival."""
    wanted = whole(repository)
    for order in orders(repository):
        assert whole(copied(repository, order)) == wanted
    return wanted
