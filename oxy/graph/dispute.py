"""The changes of a region in dispute, and what of the region each side has.

(spec: conflicts, C10 to C13, C19, C32.) The region's runs are indexed by change once, so that a
side costs its own runs and those that all sides have. Pure.
"""

from collections.abc import Iterable

from pyroaring import BitMap

from oxy.errors import StateError
from oxy.graph.division import Division, Region
from oxy.graph.lore import Lore
from oxy.graph.net import Net
from oxy.graph.part import SPENT, Part, Row
from oxy.graph.weave import SHIFT

MANY = 2
"""Heads that make sides."""


class UnfitGroundError(StateError):
    """A head does not know the ground that its net stands on: some side lacks part of it."""

    def __init__(self, head: int) -> None:
        super().__init__(f"change number {head} does not know all that its region stands on")
        self.head = head


class Dispute:
    """Who is in dispute about a region."""

    __slots__ = ("_beneath", "_known", "_late", "_lore", "_named", "_net", "_region", "heads")

    def __init__(self, division: Division, region: Region, lore: Lore) -> None:
        """Find the heads. Cost: what the named changes know."""
        self._net = division.net
        self._region = region
        self._lore = lore
        self._named = division.named(region)
        self._known = {change: lore.knows(change, self._net.whole) for change in self._named}
        self._late: dict[int, bool] = {}
        self._beneath = BitMap.union(*self._known.values()) if self._known else BitMap()
        self.heads = sorted(self._named - set(self._beneath), key=lore.rank)
        """The named changes that no other of them knows, by id."""

    def shares(self) -> "Shares":
        """Return what there is to be shared out among two heads or more.

        Raises:
            UnfitGroundError: some head does not know the ground of the net.
        """
        net = self._net
        heads = {head: self._known[head] for head in self.heads}
        if net.ground is not None:
            for head, known in heads.items():
                if not net.ground <= known:
                    raise UnfitGroundError(head)
        rows: dict[int, list[tuple[int, Row]]] = {}
        involved = set(self._named)
        for run in self._region.runs:
            start, size, fate = net.starts[run], net.sizes[run], net.fates[run]
            counting = net.counting(fate)
            if any(map(self._is_late, counting)):
                fate = SPENT
            else:
                involved.add(start >> SHIFT)
                involved.update(counting)
            rows.setdefault(start >> SHIFT, []).append((run, (start, size, fate)))
        return Shares(self._net, self._lore, heads, involved, rows)

    def _is_late(self, change: int) -> bool:
        """Return whether a change knows every head."""
        if change in self._beneath or change in self._named:
            return False
        if change not in self._late:
            known = self._lore.knows(change, self._net.whole)
            self._late[change] = all(head in known for head in self.heads)
        return self._late[change]


class Shares:
    """The runs of a region by change, and what each head has of them."""

    __slots__ = ("_beyond", "_hanging", "_heads", "_loose", "_net", "_own", "_roots", "_shared")

    def __init__(
        self,
        net: Net,
        lore: Lore,
        heads: dict[int, BitMap],
        involved: Iterable[int],
        rows: dict[int, list[tuple[int, Row]]],
    ) -> None:
        """Take what each head knows, the changes that are involved, and the rows by change.

        Cost: the rows, the changes, and what depends on those that some head does not know.
        """
        self._net = net
        self._heads = heads
        known = BitMap.union(*heads.values())
        self._loose = BitMap(involved) - BitMap.intersection(*heads.values())
        """The involved changes that are apart from some head."""
        self._roots = self._rooted()
        """For each change that needs loose ones, all of these."""
        self._hanging = sorted(self._roots.keys() - self._loose)
        """The changes that need loose ones, and are not involved."""
        self._beyond = {
            change: lore.knows(change, net.whole)
            for change in self._loose - known
            if change not in heads
        }
        """What is known by the loose changes that no head knows."""
        apart = self._loose | BitMap(self._hanging)
        self._own = {change: rows[change] for change in apart if change in rows}
        self._shared = [
            row for change in rows.keys() - self._own.keys() for row in rows[change]
        ]

    def _rooted(self) -> dict[int, BitMap]:
        net = self._net
        children, state = net.finder.children, net.state
        found: set[int] = set()
        ahead = list(self._loose & state)
        while ahead:
            for child in children(ahead.pop()):
                if child not in found and child in state:
                    found.add(child)
                    ahead.append(child)
        roots: dict[int, BitMap] = {}
        for change in sorted(found):
            needs = BitMap(net.graph.deeds[change].needs)
            below = (roots[need] for need in needs if need in roots)
            roots[change] = BitMap.union(needs & self._loose, *below)
        return roots

    def side(self, head: int) -> Part:
        """Return the region without the changes that are apart from a head.

        Cost: its runs.
        """
        near = self._heads[head] & self._loose
        near.add(head)
        for change, known in self._beyond.items():
            if head in known and self._is_rooted(change, near):
                near.add(change)
        return self._part(near)

    def base(self) -> Part:
        """Return the region without the changes that some head does not know."""
        return self._part(BitMap())

    def _is_rooted(self, change: int, near: BitMap) -> bool:
        """Return whether all that a change needs is there."""
        return change not in self._roots or self._roots[change] <= near

    def _part(self, near: BitMap) -> Part:
        near.update(c for c in self._hanging if self._roots[c] <= near)
        own = (row for change in near if change in self._own for row in self._own[change])
        rows = [row for _, row in sorted([*self._shared, *own])]
        state = self._net.whole - (self._loose | BitMap(self._hanging)) | near
        return Part(self._net, state, rows)
