"""The open pairs and the unordered lines of a set (spec: conflicts)."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from tests.naive.change import Hunk, Key, LineId, Pair
from tests.naive.view import View


class Findings(NamedTuple):
    """What is wrong with a set: nothing, when `involved` is empty.

    `involved` holds the lines, dead ones too, that some rule names.
    """

    open: frozenset[Pair]
    unordered: frozenset[LineId]
    involved: frozenset[LineId]


def find(view: View) -> Findings:
    """Return every open conflict of a set."""
    unordered: set[LineId] = set()
    for one, other in combinations(view.live, 2):
        if not view.order.decided(one, other):
            unordered.update((one, other))
    settled = {pair for change in view.changes.values() for pair in change.settles}
    open_pairs: set[Pair] = set()
    involved = set(unordered)
    for pair, companions in _pairs(view, settled):
        if pair not in settled:
            open_pairs.add(pair)
            involved |= companions | {pair.line}
    return Findings(frozenset(open_pairs), frozenset(unordered), frozenset(involved))


def _pairs(view: View, settled: set[Pair]) -> Iterator[tuple[Pair, frozenset[LineId]]]:
    """Yield each pair of the set, settled or not, with the lines that it drags along."""
    successors = _successors(view)
    keepers = _keepers(view)
    for key, change in view.changes.items():
        for hunk in change.hunks:
            gone = _counting(view, key, hunk)
            if not gone:
                continue
            block = change.block(hunk.block) if hunk.block is not None else ()
            instead = frozenset(line for line in view.live if line in block)
            for line in _survivors(view, key, hunk, successors, settled):
                yield Pair(line, key, None), instead | gone
            for line in gone:
                for keeper in keepers.get(line, set()) - {key}:
                    yield Pair(line, key, keeper), instead


def _counting(view: View, key: Key, hunk: Hunk) -> frozenset[LineId]:
    """Return the lines of a hunk whose deletion counts."""
    return frozenset(line for line in hunk.lines if key in view.deleters.get(line, ()))


def _successors(view: View) -> dict[LineId, list[tuple[Key, tuple[LineId, ...]]]]:
    """Map a line to the blocks that took its place, each with the change that put it there."""
    successors: dict[LineId, list[tuple[Key, tuple[LineId, ...]]]] = {}
    for key, change in view.changes.items():
        for hunk in change.hunks:
            if hunk.block is not None:
                for line in _counting(view, key, hunk):
                    successors.setdefault(line, []).append((key, change.block(hunk.block)))
    return successors


def _keepers(view: View) -> dict[LineId, set[Key]]:
    """Map a line to the changes that restored or kept it on purpose."""
    keepers: dict[LineId, set[Key]] = {}
    for key, change in view.changes.items():
        for line in [restore.line for restore in change.restores] + list(change.keeps):
            keepers.setdefault(line, set()).add(key)
    return keepers


def _survivors(
    view: View,
    deletion: Key,
    hunk: Hunk,
    successors: Mapping[LineId, list[tuple[Key, tuple[LineId, ...]]]],
    settled: set[Pair],
) -> set[LineId]:
    """Return the live lines that stand for a line of the hunk, or lie between two of them."""
    gone = _counting(view, deletion, hunk)
    survivors = _stand_ins(gone, deletion, successors, settled)
    survivors.update(
        line
        for line in view.live
        if line not in hunk.lines
        and any(view.order.before(upper, line) for upper in gone)
        and any(view.order.before(line, lower) for lower in gone)
    )
    return {x for x in view.live if x in survivors and x.change != deletion}


def _stand_ins(
    gone: frozenset[LineId],
    deletion: Key,
    successors: Mapping[LineId, list[tuple[Key, tuple[LineId, ...]]]],
    settled: set[Pair],
) -> set[LineId]:
    """Return what others than the deletion put in place of the lines, and so on from there.

    What takes the place of a line that is settled against the deletion stands for nothing.
    """
    found: set[LineId] = set()
    ahead = [
        line
        for dead in gone
        for key, block in successors.get(dead, ())
        if key != deletion
        for line in block
    ]
    while ahead:
        line = ahead.pop()
        if line not in found and Pair(line, deletion, None) not in settled:
            found.add(line)
            ahead.extend(new for _, block in successors.get(line, ()) for new in block)
    return found
