"""The imported changes of a repository, as commits (spec: git-bridge, GB7, GB9)."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple, cast

import msgpack
from pyroaring import BitMap

from oxy.codec.decode import read_header
from oxy.model.change import Header
from oxy.repo.repository import Repository
from oxy.store.protocol import CHANGE
from oxy_git.reader import extra
from oxy_git.reader.commit import Commit, parse
from oxy_git.reader.objects import object_id
from oxy_git.reader.partial import NOTHING, Partial, partial_of
from oxy_git.reader.trees import RawTree

_BATCH: Final = 512


class Imported(NamedTuple):
    """An imported change: its number, its commit, that commit's id, and the trees kept raw.

    `partial` is what it lacks of the commit.
    """

    change: int
    oid: bytes
    commit: Commit
    trees: tuple[RawTree, ...]
    partial: Partial = NOTHING


class History:
    """Which change each commit became, and how many commits name it as their parent.

    `changes` are all that are of imports; `lacking` are the ids of blobs that were missing.
    """

    __slots__ = ("_repository", "changes", "children", "lacking", "numbers", "total")

    def __init__(self, repository: Repository) -> None:
        """Read every header. Cost: about 150 bytes of memory a commit."""
        self._repository = repository
        self.numbers: dict[bytes, int] = {}
        self.children: Counter[bytes] = Counter()
        self.changes = BitMap()
        self.lacking: set[bytes] = set()
        self.total = repository.store.count(CHANGE)
        for found in self.imported():
            self.numbers[found.oid] = found.change
            self.children.update(set(found.commit.parents))
            self.changes.add(found.change)
            self.lacking.update(oid for _, oid in found.partial.files)

    def imported(self) -> Iterator[Imported]:
        """Yield the imported changes, parents first."""
        store = self._repository.store
        gone = set(store.all_gone(CHANGE))
        there = [at for at in range(1, store.count(CHANGE) + 1) if at not in gone]
        for start in range(0, len(there), _BATCH):
            changes = there[start : start + _BATCH]
            for change, payload in zip(changes, store.read_many(CHANGE, changes), strict=True):
                found = _imported(change, read_header(payload))
                if found is not None:
                    yield found


def _imported(change: int, header: Header) -> Imported | None:
    raw = extra.raw_commit(header)
    if raw is None:
        return None
    partial = partial_of(header) or NOTHING
    return Imported(change, object_id(b"commit", raw), parse(raw), _trees(header), partial)


def _trees(header: Header) -> tuple[RawTree, ...]:
    packed = dict(header.extra).get(extra.TREES)
    if packed is None:
        return ()
    return cast("tuple[RawTree, ...]", msgpack.unpackb(packed, use_list=False))
