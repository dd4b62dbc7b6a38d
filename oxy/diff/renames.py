"""Which removed file became which added one (spec: diff). Pure.

First the files of identical content, then those that kept their name in another directory, then
the most alike. Everything is bounded by counts and ordered by path bytes, never by time or by a
process's own hashes, since identities of imported changes depend on it.
"""

from collections import deque
from collections.abc import Callable, Sequence
from oxy.typed import NamedTuple

from oxy.diff.similarity import Fingerprint, similarity

THRESHOLD = 500
"""The least similarity, per mille, that makes a rename."""
MAX_FILES = 1000
"""Files a side that similarity is tried for; identical content is found among any number."""
MAX_CANDIDATES = 20
"""Removed files compared closely with one added file: those that share most line names."""
MAX_SHARERS = 20
"""A line that more removed files than this hold says nothing about where a text came from."""

WHOLE = 1000


class Candidate(NamedTuple):
    """A removed or an added file.

    `digest` is of the content, equal for equal content; `load` gives the fingerprint and is
    called at most once. An empty digest never matches: pass it for content that is empty.
    """

    path: bytes
    digest: bytes
    load: Callable[[], Fingerprint]


class Rename(NamedTuple):
    """Positions in the sequences of removed and added files, and the similarity per mille."""

    removed: int
    added: int
    score: int


def match_renames(
    removed: Sequence[Candidate],
    added: Sequence[Candidate],
    *,
    threshold: int = THRESHOLD,
    limit: int = MAX_FILES,
) -> list[Rename]:
    """Return the renames, each file in at most one, ascending by the path of the added file.

    When more than `limit` files of either side are left after identical content and names that
    stayed (of which the first `limit` are tried), no other is tried. Cost: linear in the files
    for identical content; `limit` fingerprints a side, 20 comparisons for each added file.
    """
    pool = _Pool(removed, added, threshold)
    pool.pair_identical()
    pool.pair_same_name(limit)
    if len(pool.removed) <= limit and len(pool.added) <= limit:
        pool.pair_similar()
    return sorted(pool.found, key=lambda rename: (added[rename.added].path, rename))


class _Pool:
    """The files not yet matched, in path order, and the renames found."""

    __slots__ = ("_new", "_old", "_threshold", "found")

    def __init__(
        self, removed: Sequence[Candidate], added: Sequence[Candidate], threshold: int
    ) -> None:
        self._old = _Side(removed)
        self._new = _Side(added)
        self._threshold = threshold
        self.found: list[Rename] = []

    @property
    def removed(self) -> list[int]:
        """Positions of the removed files that are left."""
        return self._old.left

    @property
    def added(self) -> list[int]:
        """Positions of the added files that are left."""
        return self._new.left

    def pair_identical(self) -> None:
        """Pair equal digests: those of one name first, then by path order."""
        old, new = self._old, self._new
        for key in (_digest_and_name, _digest):
            sources = old.grouped(key)
            pairs = []
            for position in new.left:
                group = sources.get(key(new.files[position]))
                if group and new.files[position].digest:
                    pairs.append(Rename(group.popleft(), position, WHOLE))
            self._take(pairs)

    def pair_same_name(self, limit: int) -> None:
        """Pair files whose name is the only one of its kind on both sides and clearly alike.

        Clearly is half way from the threshold to identity: a name that stayed says much, but
        not everything.
        """
        sources, targets = self._old.grouped(_name), self._new.grouped(_name)
        least = (self._threshold + WHOLE) // 2
        both = [
            (group[0], targets[name][0])
            for name, group in sources.items()
            if len(group) == 1 and len(targets.get(name, ())) == 1
        ]
        pairs = [Rename(old, new, self._compare(old, new)) for old, new in both[:limit]]
        self._take([pair for pair in pairs if pair.score >= least])

    def pair_similar(self) -> None:
        """Pair the most alike first; ties go to a name that stayed, then to path order."""
        old, new = self._old, self._new
        holders: dict[int, list[tuple[int, int]]] = {}
        for position in old.left:
            for line, weight in old.load(position).weights.items():
                holders.setdefault(line, []).append((position, weight))
        pairs = [
            Rename(source, target, self._compare(source, target))
            for target in new.left
            for source in self._closest(holders, target)
        ]
        rank = {position: at for at, position in enumerate(old.left)}
        pairs.sort(
            key=lambda pair: (
                -pair.score,
                _name(old.files[pair.removed]) != _name(new.files[pair.added]),
                rank[pair.removed],
            )
        )  # stable: then by the path of the added file
        self._take([pair for pair in pairs if pair.score >= self._threshold])

    def _closest(self, holders: dict[int, list[tuple[int, int]]], target: int) -> list[int]:
        """Return the removed files that share most with an added one, by its rarer lines."""
        shared: dict[int, int] = {}
        for line, weight in self._new.load(target).weights.items():
            sources = holders.get(line, [])
            if len(sources) <= MAX_SHARERS:
                for source, held in sources:
                    shared[source] = shared.get(source, 0) + min(weight, held)
        files = self._old.files
        order = sorted(shared, key=lambda source: (-shared[source], files[source].path, source))
        return order[:MAX_CANDIDATES]

    def _compare(self, old: int, new: int) -> int:
        return similarity(self._old.load(old), self._new.load(new))

    def _take(self, pairs: Sequence[Rename]) -> None:
        """Accept pairs in their order, each file once."""
        used_old: set[int] = set()
        used_new: set[int] = set()
        for pair in pairs:
            if pair.removed not in used_old and pair.added not in used_new:
                used_old.add(pair.removed)
                used_new.add(pair.added)
                self.found.append(pair)
        self._old.drop(used_old)
        self._new.drop(used_new)


class _Side:
    """The files of one side, in path order, with the fingerprints loaded so far."""

    __slots__ = ("_prints", "files", "left")

    def __init__(self, files: Sequence[Candidate]) -> None:
        self.files = files
        self.left = sorted(range(len(files)), key=lambda at: (files[at].path, at))
        self._prints: dict[int, Fingerprint] = {}

    def grouped(
        self, key: Callable[[Candidate], tuple[bytes, ...]]
    ) -> dict[tuple[bytes, ...], deque[int]]:
        """Return the files that are left by a key, each group in path order."""
        groups: dict[tuple[bytes, ...], deque[int]] = {}
        for position in self.left:
            groups.setdefault(key(self.files[position]), deque()).append(position)
        return groups

    def load(self, position: int) -> Fingerprint:
        """Return the fingerprint of a file, loaded once."""
        found = self._prints.get(position)
        if found is None:
            found = self._prints[position] = self.files[position].load()
        return found

    def drop(self, used: set[int]) -> None:
        """Take matched files out."""
        self.left = [position for position in self.left if position not in used]


def _digest(file: Candidate) -> tuple[bytes, ...]:
    return (file.digest,)


def _name(file: Candidate) -> tuple[bytes, ...]:
    return (file.path.rpartition(b"/")[2],)


def _digest_and_name(file: Candidate) -> tuple[bytes, ...]:
    return _digest(file) + _name(file)
