"""The open pairs and triples of one text in one state (spec: conflicts, C3 to C7). Pure.

A pair says that a live run stands where a deletion should have left nothing; a triple, that one
change kept on purpose what another deletes. Work follows the runs; what comes after what is
only asked where a live run lies among the lines of one deletion.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from oxy.typed import Final

from pyroaring import BitMap

from oxy.graph.found import Clash, Found, Pair, StandIn
from oxy.graph.leading import leading
from oxy.graph.net import Net
from oxy.graph.text import Block, Deletion
from oxy.graph.weave import SHIFT

MANY: Final = 8
"""Deletions of one line that are looked at together."""


class _Search:
    """One search for open pairs over a net."""

    __slots__ = (
        "clashes",
        "counting",
        "drawn",
        "fresh",
        "net",
        "new",
        "pairs",
        "replaced",
        "settled",
        "settled_runs",
        "surrounding",
    )

    def __init__(self, net: Net, fresh: BitMap | None, new: int) -> None:
        self.net = net
        self.fresh = fresh
        self.new = new
        self.pairs: set[Pair] = set()
        self.clashes: list[Clash] = []
        self.drawn: set[int] = set()
        self.counting = _Counting(net)
        self.surrounding = fresh
        """The changes whose deletions may surround anything; None for all of the state."""
        if fresh is not None and not net.graph.ordering.isdisjoint(fresh):
            # Orders are the only edges by which a change orders lines that it did not make.
            self.surrounding = None
        self.settled = _settled(net, self.surrounding)
        self.settled_runs = {run for run, _, _ in self.settled}
        self.replaced = _Replacements(net, self.counting)

    def flag(self, run: int, deletion: int, keeper: int, *more: list[int]) -> None:
        if (run, deletion, keeper) in self.settled:
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

    def gone(self, deletion: Deletion, change: int) -> list[int]:
        """Return the runs of a deletion whose deletion counts."""
        net, counting = self.net, self.counting
        return [
            run
            for span in deletion.spans
            for run in net.runs_in(*span)
            if change in counting[net.fates[run]]
        ]

    def stand_ins(self) -> None:
        """Flag live runs that stand for a line which another change deleted."""
        counting = self.counting
        doubled = {fate for fate in set(self.net.fates) if len(counting[fate]) > 1}
        if not doubled:
            return
        for run, fate in enumerate(self.net.fates):
            if fate in doubled and not self._is_clash(run, counting[fate]):
                for change in counting[fate]:
                    if self.fresh is None or change in self.fresh:
                        self._stand_ins_for(run, change)

    def _is_clash(self, run: int, counting: tuple[int, ...]) -> bool:
        """Flag many deletions of a run together, and return True, if nothing is settled."""
        if len(counting) < MANY:
            return False
        stand_ins: list[StandIn] = []
        for change, block in self.replaced.blocks(run):
            seen = self._beneath([block])
            if not seen.isdisjoint(self.settled_runs):
                return False
            stand_ins += (
                StandIn(inner, self.net.starts[inner] >> SHIFT, change)
                for inner in seen
                if self.net.alive[inner]
            )
        fresh = self.fresh
        clash = Clash(
            tuple(stand_ins), tuple(c for c in counting if fresh is None or c in fresh)
        )
        flagged = clash.deletions_of(stand_ins) if stand_ins else []
        if flagged:
            self.clashes.append(clash)
        for change in flagged:
            deletion = self.replaced.hunk(run, change)
            self.drawn.update(self.live(deletion.block), self.gone(deletion, change))
        self.drawn.update(each.run for each in stand_ins if clash.is_open(each))
        return True

    def _beneath(self, work: list[Block]) -> set[int]:
        """Return the runs of blocks, of what took their place, and so on."""
        seen: set[int] = set()
        while work:
            block = work.pop()
            for inner in self.net.runs_in(block.start, block.size):
                if inner not in seen:
                    seen.add(inner)
                    work += [block for _, block in self.replaced.blocks(inner)]
        return seen

    def _stand_ins_for(self, run: int, change: int) -> None:
        found = [
            stand_in
            for stand_in in self._standing_for(run, change)
            if self.net.alive[stand_in]
            and self.is_foreign(stand_in, change)
            and (stand_in, change, 0) not in self.settled
        ]
        if found:
            deletion = self.replaced.hunk(run, change)
            where = [self.live(deletion.block), self.gone(deletion, change)]
            for stand_in in found:
                self.flag(stand_in, change, 0, *where)

    def _standing_for(self, run: int, deletion: int) -> set[int]:
        """Return the runs that stand for a run which a deletion deletes."""
        replaced, settled = self.replaced, self.settled
        seen: set[int] = set()
        work = [block for change, block in replaced.blocks(run) if change != deletion]
        while work:
            block = work.pop()
            for inner in self.net.runs_in(block.start, block.size):
                if inner not in seen and (inner, deletion, 0) not in settled:
                    seen.add(inner)
                    work += [block for _, block in replaced.blocks(inner)]
        return seen

    def surrounded(self) -> None:
        """Flag live runs between two lines of one deletion."""
        net = self.net
        live = net.live()
        if self.surrounding is None:
            self._surrounded_among(live, net.state)
            return
        self._surrounded_among(live, self.surrounding)
        if self.new:
            mine = [run for run in live if not self.is_foreign(run, self.new)]
            self._surrounded_among(mine, net.state - self.surrounding)

    def _surrounded_among(self, live: Sequence[int], changes: BitMap) -> None:
        """Flag those of some live runs that lie between two lines of a deletion of changes."""
        net = self.net
        if not live:
            return
        order = net.order
        chosen = set(live)
        alive_before = list(accumulate((run in chosen for run in order), initial=0))
        places = net.places()
        index, sizes = net.index, net.sizes
        for change, deletion in net.deletions(changes):
            spans = deletion.spans
            first = index.get(spans[0].start)
            if len(spans) == 1 and first is not None and sizes[first] == spans[0].size:
                continue
            own = {run for span in spans for run in net.runs_in(*span)}
            if net.has_cycle:
                self._surrounded_by(change, deletion, own, live)
                continue
            low, high = min(places[run] for run in own), max(places[run] for run in own)
            if alive_before[high] > alive_before[low]:
                among = [run for run in order[low:high] if run in chosen]
                self._surrounded_by(change, deletion, own, among)

    def _surrounded_by(
        self, change: int, deletion: Deletion, own: set[int], among: Sequence[int]
    ) -> None:
        net = self.net
        suspects = [
            run
            for run in among
            if run not in own
            and self.is_foreign(run, change)
            and (run, change, 0) not in self.settled
        ]
        if not suspects:
            return
        lines = self.gone(deletion, change)
        behind = net.between(lines)
        for run in leading(net, [run for run in suspects if run in behind], lines):
            self.flag(run, change, 0, self.live(deletion.block), lines)

    def decisions(self) -> None:
        """Flag lines that one change kept on purpose and another deletes."""
        net = self.net
        for run, keepers in _kept(net).items():
            for change in self.counting[net.fates[run]]:
                if self.fresh is not None and change not in self.fresh:
                    continue
                for keeper in keepers:
                    if keeper != change and (run, change, keeper) not in self.settled:
                        deletion = self.replaced.hunk(run, change)
                        self.flag(run, change, keeper, self.live(deletion.block))


class _Counting(dict[int, tuple[int, ...]]):
    """The deletions of each fate that count in a state, found when one is asked for."""

    __slots__ = ("_net",)

    def __init__(self, net: Net) -> None:
        super().__init__()
        self._net = net

    def __missing__(self, fate: int) -> tuple[int, ...]:
        found = self[fate] = self._net.counting(fate)
        return found


class _Replacements:
    """Which block took whose place, found when it is asked."""

    __slots__ = ("counting", "net")

    def __init__(self, net: Net, counting: dict[int, tuple[int, ...]]) -> None:
        self.net = net
        self.counting = counting

    def hunk(self, run: int, change: int) -> Deletion:
        """Return the deletion by which a change deletes a run."""
        return self.net.finder.hunk(self.net.starts[run], change)

    def blocks(self, run: int) -> Iterator[tuple[int, Block]]:
        """Yield (change, block) of each counting deletion that put a block in a run's place."""
        for change in self.counting[self.net.fates[run]]:
            block = self.hunk(run, change).block
            if block is not None:
                yield change, block


def _settled(net: Net, among: BitMap | None) -> set[tuple[int, int, int]]:
    """Return what is settled; where only pairs of some deletions can be open, of these."""
    deletions = net.state if among is None else among
    return {
        (run, claim.deletion, claim.keeper)
        for claim in net.claims()
        if claim.deletion in deletions
        for run in net.runs_in(*claim.span)
    }


def _kept(net: Net) -> dict[int, set[int]]:
    kept: dict[int, set[int]] = {}
    for span, change in net.kept():
        for run in net.runs_in(*span):
            kept.setdefault(run, set()).add(change)
    return kept


def open_pairs(net: Net, fresh: BitMap | None = None, new: int = 0) -> Found:
    """Return the pairs and triples that are open in the state of a net.

    Args:
        net: the state.
        fresh: where the state unites states that read clean, the changes that not all of them
            hold: a pair that is open is of a deletion by one of these, since any other stands
            in one of the states too, where it is settled.
        new: a change that is recorded on that union, whose lines come into pairs of any
            deletion that they lie inside.

    Cost: one pass over its runs and deletions where nothing is suspicious; with `fresh`, over
    the deletions of these.
    """
    search = _Search(net, fresh, new)
    search.stand_ins()
    search.surrounded()
    search.decisions()
    return Found(frozenset(search.pairs), search.clashes, frozenset(search.drawn))
