"""The imported changes of a repository, as commits (spec: git-bridge, GB7, GB9)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
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
from oxy_git.verify.writings import Writings, writings_of

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

    `changes` are all that are of imports, `keeping` those that keep trees; `lacking` are
    the ids of blobs that were missing.
    """

    __slots__ = ("_repository", "changes", "children", "keeping", "lacking", "numbers")

    def __init__(self, repository: Repository) -> None:
        """Read every header. Cost: about 150 bytes of memory a commit."""
        self._repository = repository
        self.numbers: dict[bytes, int] = {}
        self.children: Counter[bytes] = Counter()
        self.changes = BitMap()
        self.keeping = BitMap()
        self.lacking: set[bytes] = set()
        store = repository.store
        there = BitMap(range(1, store.count(CHANGE) + 1)) - BitMap(store.all_gone(CHANGE))
        for found in self.imported(there):
            self.numbers[found.oid] = found.change
            self.children.update(set(found.commit.parents))
            self.changes.add(found.change)
            self.lacking.update(oid for _, oid in found.partial.files)
            if found.trees:
                self.keeping.add(found.change)

    def children_among(self, changes: BitMap) -> Counter[bytes]:
        """Return how many of some commits name each as their parent. Cost: their headers."""
        if changes == self.changes:
            return Counter(self.children)
        parents = (set(found.commit.parents) for found in self.imported(changes))
        return Counter(chain.from_iterable(parents))

    def writings(self, state: BitMap) -> Writings:
        """Return the trees that changes of a state keep. Cost: the headers of these."""
        return writings_of(found.trees for found in self.imported(state & self.keeping))

    def imported(self, wanted: Iterable[int]) -> Iterator[Imported]:
        """Yield those of some changes that are of imports, in the order that is given."""
        store = self._repository.store
        left = iter(wanted)
        while changes := list(islice(left, _BATCH)):
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
