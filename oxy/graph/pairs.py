"""The open pairs and triples of one text in one state (spec: conflicts, C1 to C9). Pure.

A pair says that a live run stands where a deletion should have left nothing; a triple, that one
change kept on purpose what another deletes. Work follows the runs; what comes after what is only
asked where a live run lies among the lines of one deletion.
"""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from oxy.graph.net import Net
from oxy.graph.text import Block, Deletion
from oxy.graph.weave import SHIFT


class Pair(NamedTuple):
    """Run, deletion, and keeper or 0: an open pair or triple of the rules."""

    run: int
    deletion: int
    keeper: int


class Found(NamedTuple):
    """Open pairs, and the runs that each draws into its region."""

    pairs: frozenset[Pair]
    drawn: frozenset[int]


class _Search:
    """One search for open pairs over a net."""

    __slots__ = ("drawn", "net", "pairs", "replaced", "settled")

    def __init__(self, net: Net) -> None:
        self.net = net
        self.pairs: set[Pair] = set()
        self.drawn: set[int] = set()
        self.settled = _settled(net)
        self.replaced = _Replacements(net)

    def flag(self, run: int, deletion: int, keeper: int, *more: list[int]) -> None:
        if (self.net.starts[run], deletion, keeper) in self.settled:
            return
        self.pairs.add(Pair(run, deletion, keeper))
        self.drawn.add(run)
        for runs in more:
            self.drawn.update(runs)

    def is_foreign(self, run: int, change: int) -> bool:
        return self.net.starts[run] >> SHIFT != change

    def live(self, block: Block | None) -> list[int]:
        if block is None:
            return []
        runs = self.net.runs_in(block.start, block.size)
        return [run for run in runs if self.net.alive[run]]

    def counting(self, deletion: Deletion, change: int) -> list[int]:
        return [
            run
            for span in deletion.spans
            for run in self.net.runs_in(*span)
            if change in self.net.graph.counting(self.net.fates[run], self.net.state)
        ]

    def stand_ins(self) -> None:
        """Flag live runs that stand for a line which another change deleted."""
        net = self.net
        for run, fate in enumerate(net.fates):
            if net.alive[run] or len(net.graph.fates[fate].deletions) < 2:  # noqa: PLR2004 - two
                continue
            counting = net.graph.counting(fate, net.state)
            for change in counting if len(counting) > 1 else ():
                self._stand_ins_for(run, change)

    def _stand_ins_for(self, run: int, change: int) -> None:
        deletion = self.replaced.hunk(run, change)
        where = [self.live(deletion.block), self.counting(deletion, change)]
        for stand_in in self.replaced.standing_for(run, change):
            if self.net.alive[stand_in] and self.is_foreign(stand_in, change):
                self.flag(stand_in, change, 0, *where)

    def surrounded(self) -> None:
        """Flag live runs between two lines of one deletion."""
        net = self.net
        alive_before = list(accumulate(net.alive, initial=0))
        for change in net.state:
            for deletion in net.graph.deeds[change].deletions:
                if net.is_bent:
                    among = [run for run, alive in enumerate(net.alive) if alive]
                else:
                    runs = [run for span in deletion.spans for run in net.runs_in(*span)]
                    low, high = min(runs), max(runs)
                    if alive_before[high] == alive_before[low]:
                        continue
                    among = [run for run in range(low, high) if net.alive[run]]
                self._surrounded_by(change, deletion, among)

    def _surrounded_by(self, change: int, deletion: Deletion, among: list[int]) -> None:
        net = self.net
        own = {run for span in deletion.spans for run in net.runs_in(*span)}
        lines = self.counting(deletion, change)
        for run in among:
            if run in own or not self.is_foreign(run, change):
                continue
            if (net.starts[run], change, 0) in self.settled:
                continue
            before = any(net.follows(line, run) for line in lines)
            if before and any(net.follows(run, line) for line in lines):
                self.flag(run, change, 0, self.live(deletion.block), lines)

    def decisions(self) -> None:
        """Flag lines that one change kept on purpose and another deletes."""
        net = self.net
        for run, keepers in _kept(net).items():
            for change in net.graph.counting(net.fates[run], net.state):
                deletion = self.replaced.hunk(run, change)
                for keeper in keepers:
                    if keeper != change:
                        self.flag(run, change, keeper, self.live(deletion.block))


class _Replacements:
    """Which block took whose place, found when it is asked."""

    __slots__ = ("_spans", "net")

    def __init__(self, net: Net) -> None:
        self.net = net
        self._spans: dict[int, list[tuple[int, int, Deletion]]] = {}

    def hunk(self, run: int, change: int) -> Deletion:
        """Return the deletion by which a change deletes a run."""
        spans = self._spans.get(change)
        if spans is None:
            spans = self._spans[change] = sorted(
                (span.start, place, deletion)
                for place, deletion in enumerate(self.net.graph.deeds[change].deletions)
                for span in deletion.spans
            )
        place = bisect_left(spans, (self.net.starts[run] + 1,)) - 1
        return spans[place][2]

    def blocks(self, run: int) -> Iterator[tuple[int, Block]]:
        """Yield (change, block) of each counting deletion that put a block in a run's place."""
        net = self.net
        for change in net.graph.counting(net.fates[run], net.state):
            block = self.hunk(run, change).block
            if block is not None:
                yield change, block

    def standing_for(self, run: int, deletion: int) -> set[int]:
        """Return the runs that stand for a run which a deletion deletes."""
        seen: set[int] = set()
        work = [block for change, block in self.blocks(run) if change != deletion]
        while work:
            block = work.pop()
            for inner in self.net.runs_in(block.start, block.size):
                if inner not in seen:
                    seen.add(inner)
                    work += [block for _, block in self.blocks(inner)]
        return seen


def _settled(net: Net) -> set[tuple[int, int, int]]:
    return {
        (net.starts[run], verdict.deletion, verdict.keeper)
        for change in net.state
        for verdict in net.graph.deeds[change].verdicts
        if verdict.span.start >> SHIFT in net.state
        for run in net.runs_in(*verdict.span)
    }


def _kept(net: Net) -> dict[int, set[int]]:
    kept: dict[int, set[int]] = {}
    for change in net.state:
        deed = net.graph.deeds[change]
        for span in (*(cancel.span for cancel in deed.cancels), *deed.keeps):
            if span.start >> SHIFT in net.state:
                for run in net.runs_in(*span):
                    kept.setdefault(run, set()).add(change)
    return kept


def open_pairs(net: Net) -> Found:
    """Return the pairs and triples that are open in the state of a net.

    Cost: one pass over its runs and deletions where nothing is suspicious.
    """
    search = _Search(net)
    search.stand_ins()
    search.surrounded()
    if net.graph.is_disputed:
        search.decisions()
    return Found(frozenset(search.pairs), frozenset(search.drawn))
