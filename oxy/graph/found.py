"""The open pairs that a search found (spec: conflicts, C3 to C7). Pure.

Where many changes replace one line, each replacement is open against each other deletion. Such
pairs are told as one clash, and only counted out where somebody asks for each.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from oxy.typed import NamedTuple

from oxy.graph.weave import SHIFT


class Pair(NamedTuple):
    """Run, deletion, and keeper or 0: an open pair or triple of the rules."""

    run: int
    deletion: int
    keeper: int


class StandIn(NamedTuple):
    """A live run in place of a line.

    Attributes:
        run: the run.
        owner: its change.
        through: the change that put in the line's place what the run is, or stands for.
    """

    run: int
    owner: int
    through: int


class Clash(NamedTuple):
    """Runs that stand for one line, each open against deletions of it but two.

    Those are the one that it took the place by, and its own change's.
    """

    stand_ins: tuple[StandIn, ...]
    deletions: tuple[int, ...]

    def deletions_of(self, stand_ins: Sequence[StandIn]) -> list[int]:
        """Return the deletions against which some of the stand-ins are open."""
        spared = Counter(
            chain.from_iterable({owner, through} for _, owner, through in stand_ins)
        )
        return [d for d in self.deletions if spared[d] < len(stand_ins)]

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs. Cost: their number."""
        for run, owner, through in self.stand_ins:
            for deletion in self.deletions:
                if deletion not in {owner, through}:
                    yield Pair(run, deletion, 0)

    def is_open(self, stand_in: StandIn) -> bool:
        """Return whether a stand-in is open against any deletion."""
        return any(d not in {stand_in.owner, stand_in.through} for d in self.deletions)

    def named(self, runs: frozenset[int]) -> set[int]:
        """Return the changes that the pairs of some runs name. Cost: runs and deletions."""
        here = [each for each in self.stand_ins if each.run in runs]
        named = set(self.deletions_of(here)) if here else set()
        named.update(each.owner for each in here if self.is_open(each))
        return named


class Found:
    """Open pairs, and the runs that they draw into regions."""

    __slots__ = ("_by_run", "_clashes", "_pairs", "drawn")

    def __init__(
        self, pairs: frozenset[Pair], clashes: Sequence[Clash], drawn: frozenset[int]
    ) -> None:
        self._pairs = pairs
        self._clashes = clashes
        self._by_run: dict[int, list[Pair]] = {}
        for pair in pairs:
            self._by_run.setdefault(pair.run, []).append(pair)
        self.drawn = drawn

    @property
    def is_open(self) -> bool:
        """Whether any pair is open."""
        return bool(self._pairs or self._clashes)

    @property
    def pairs(self) -> frozenset[Pair]:
        """All pairs and triples. Cost: their number."""
        return self._pairs.union(*(clash.pairs() for clash in self._clashes))

    def of(self, runs: frozenset[int]) -> frozenset[Pair]:
        """Return the pairs of some runs. Cost: their number, and all clashes."""
        few = (pair for run in runs for pair in self._by_run.get(run, ()))
        many = (pair for clash in self._clashes for pair in clash.pairs() if pair.run in runs)
        return frozenset(chain(few, many))

    def named(self, runs: frozenset[int], starts: Sequence[int]) -> set[int]:
        """Return the changes that the pairs of some runs name.

        Args:
            runs: the runs.
            starts: the first line of each run.
        """
        named: set[int] = set()
        for run in runs:
            for _, deletion, keeper in self._by_run.get(run, ()):
                named |= {keeper or starts[run] >> SHIFT, deletion}
        return named.union(*(clash.named(runs) for clash in self._clashes))

    def deletions(self, runs: frozenset[int]) -> set[int]:
        """Return the deletions that the pairs of some runs name."""
        named = {pair.deletion for run in runs for pair in self._by_run.get(run, ())}
        for clash in self._clashes:
            here = [each for each in clash.stand_ins if each.run in runs]
            named.update(clash.deletions_of(here) if here else ())
        return named
