"""The graph of one text: every line ever recorded, and what every change did to it.

(spec: graph.) Changes are numbers here. Operations are applied in any order that respects
dependencies and give the same graph. What a state reads is in `oxy.graph.render`. Pure.
"""

from collections.abc import Iterable
from contextlib import suppress
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.graph.deed import (
    EDGE,
    Block,
    Cancel,
    Deed,
    Deletion,
    Precedence,
    Span,
    Verdict,
    bind,
    point,
)
from oxy.graph.grounds import Grounds
from oxy.graph.weave import SHIFT, NoLineError, Weave
from oxy.model.operation import OUT, TEXT

__all__ = [
    "ALIVE",
    "EDGE",
    "Block",
    "Cancel",
    "Claim",
    "Deed",
    "Deletion",
    "Fate",
    "Precedence",
    "Span",
    "TextGraph",
    "Verdict",
    "bind",
    "point",
]

ALIVE: Final = 0
"""The fate of lines that nothing deletes."""


class Fate(NamedTuple):
    """The changes that delete a line, and who cancelled which: (deletion, restorer) pairs."""

    deletions: tuple[int, ...] = ()
    cancels: tuple[tuple[int, int], ...] = ()


class Claim(NamedTuple):
    """A verdict as it is found from the lines that it is about."""

    span: Span
    deletion: int
    keeper: int
    change: int
    """The change that settles."""


class TextGraph:
    """The weave of a text, and what each change that touched it did."""

    __slots__ = (
        "_anchored",
        "_bent",
        "_disputing",
        "_fate_index",
        "claims",
        "deeds",
        "doubled",
        "fates",
        "grounds",
        "kept",
        "leading",
        "ordering",
        "replacing",
        "touched",
        "weave",
    )

    def __init__(self) -> None:
        self.weave = Weave()
        self.deeds: dict[int, Deed] = {}
        self.touched = BitMap()
        self.fates: list[Fate] = [Fate()]
        self.ordering: set[int] = set()
        """The changes that order lines, or say that orders no longer count."""
        self.leading: dict[int, list[tuple[int, int, int]]] = {}
        """By the point that an order leads from: its change, its place there, the line."""
        self.replacing: dict[tuple[int, int], list[int]] = {}
        """By an order's change and place: the changes that say that it no longer counts."""
        self.claims: dict[int, list[Claim]] = {}
        """What is settled, by the change of the lines."""
        self.kept: dict[int, list[tuple[Span, int]]] = {}
        """Lines that were restored or kept on purpose and by whom, by the lines' change."""
        self._fate_index: dict[Fate, int] = {Fate(): ALIVE}
        self._anchored: dict[int, list[Block]] | None = None
        self._bent: set[int] | None = None
        self.grounds = Grounds()
        """The states of the text that are known to read in one way only."""
        self._disputing: set[int] = set()
        self.doubled: set[int] = set()
        """The changes that delete a line which another deletes too."""

    @classmethod
    def begun(cls, change: int, lines: int) -> "TextGraph":
        """Return the graph of a text that one change alone touches, which began its lines."""
        graph = cls()
        graph.apply(change, Deed((), (Block(change << SHIFT, lines, EDGE, EDGE),)))
        return graph

    @property
    def is_disputed(self) -> bool:
        """Whether any change restored, ordered, settled or kept lines, or two deleted one."""
        return bool(self._disputing or self.doubled)

    @property
    def anchored(self) -> dict[int, list[Block]]:
        """The blocks by the point that is left of them. Cost: the first call's walk of all."""
        if self._anchored is None:
            self._anchored = {}
            for change in self.touched:
                for block in self.deeds[change].blocks:
                    self._anchored.setdefault(block.left, []).append(block)
        return self._anchored

    @property
    def bent(self) -> set[int]:
        """The changes with an order against the weave. Cost: the first call's look at all."""
        if self._bent is None:
            self._bent = {c for c in self.ordering if self._is_bent(self.deeds[c])}
        return self._bent

    def _is_bent(self, deed: Deed) -> bool:
        position = self.weave.position
        return any(position(order.a) >= position(order.b) for order in deed.orders)

    def reweave(self, weave: Weave) -> None:
        """Take another weave of the same runs."""
        self.weave = weave
        self._bent = None
        self.grounds.folded.clear()

    def fate_index(self, fate: Fate) -> int:
        """Return the place of a fate in the table, adding it if it is new."""
        index = self._fate_index.get(fate)
        if index is None:
            index = self._fate_index[fate] = len(self.fates)
            self.fates.append(fate)
        return index

    def apply(self, change: int, deed: Deed) -> None:
        """Add a change. Cost: its operations and the runs that they cut.

        Raises:
            NoLineError: it names a line that no applied change inserted.
        """
        for block in deed.blocks:
            self._place(block)
        if change in self.claims or change in self.kept:
            self._cut_as_claimed(change)
        fates: dict[int, int] = {}
        for deletion in deed.deletions:
            for span in deletion.spans:
                self._delete(span, change, fates)
        self.enter(change, deed)
        if _is_disputing(deed):
            self._dispute(change, deed)
        if self._bent is not None and self._is_bent(deed):
            self._bent.add(change)
        self.grounds.arrive(change, deed)

    def enter(self, change: int, deed: Deed) -> None:
        """Take a change into the indexes, its lines and deletions being in the weave."""
        self.deeds[change] = deed
        self.touched.add(change)
        if self._anchored is not None:
            for block in deed.blocks:
                self._anchored.setdefault(block.left, []).append(block)
        if _is_disputing(deed):
            self._claim(change, deed)

    def unapply(self, change: int) -> None:
        """Take a change out, as if it had never been applied.

        Nothing that is left may depend on it. Cost: its operations.
        """
        deed = self._leave(change)
        self.grounds.forget(change)
        if self._bent is not None:
            self._bent.discard(change)
        self.touched.discard(change)
        fates: dict[int, int] = {}
        for deletion in deed.deletions:
            for span in deletion.spans:
                self._forget_deletion(span, change, fates)
        for cancel in deed.cancels:
            self._forget_cancel(cancel, change)
        self.weave.remove(change)
        if change in self.doubled:
            self._count_doubled()

    def rebind(self, change: int, deed: Deed) -> None:
        """Let a change mean what it means once a change that it names weakly has come or gone.

        The deed differs from the one that was applied only in what is named weakly: deletions
        that it cancels, orders that it replaces, verdicts and lines that it keeps. One that was
        bound to the numbers of changes before they were applied needs no rebinding.
        """
        self.grounds.forget(change)
        for cancel in self._leave(change).cancels:
            self._forget_cancel(cancel, change)
        self.enter(change, deed)
        self._dispute(change, deed)

    @property
    def disputing(self) -> frozenset[int]:
        """The changes that restored, ordered, settled or kept lines."""
        return frozenset(self._disputing)

    def load(self, deeds: dict[int, Deed], disputing: Iterable[int]) -> None:
        """Take changes whose lines and deletions are in the weave already."""
        self.deeds = deeds
        for change in disputing:
            self._claim(change, deeds[change])
        self._count_doubled()

    def _count_doubled(self) -> None:
        used: set[int] = set()
        for chunk in self.weave.chunks:
            used.update(chunk.fates)
        counted = (self.fates[fate].deletions for fate in used)
        self.doubled = {change for named in counted if len(named) > 1 for change in named}

    def _leave(self, change: int) -> Deed:
        deed = self.deeds[change]
        del self.deeds[change]
        self._disputing.discard(change)
        if self._anchored is not None:
            for block in deed.blocks:
                self._anchored[block.left].remove(block)
        if change in self.ordering:
            self._leave_order(change, deed)
        for owner in {verdict.span.start >> SHIFT for verdict in deed.verdicts}:
            claims = self.claims[owner]
            claims[:] = [claim for claim in claims if claim.change != change]
        for owner in {span.start >> SHIFT for span in _kept_by(deed)}:
            kept = self.kept[owner]
            kept[:] = [pair for pair in kept if pair[1] != change]
        return deed

    def _claim(self, change: int, deed: Deed) -> None:
        self._disputing.add(change)
        if deed.orders or deed.unorders:
            self._enter_order(change, deed)
        for span, deletion, keeper in deed.verdicts:
            claim = Claim(span, deletion, keeper, change)
            self.claims.setdefault(span.start >> SHIFT, []).append(claim)
        for span in _kept_by(deed):
            self.kept.setdefault(span.start >> SHIFT, []).append((span, change))

    def _enter_order(self, change: int, deed: Deed) -> None:
        self.ordering.add(change)
        for place, (a, b, inside) in enumerate(deed.orders):
            start = point(a, TEXT if inside else OUT)
            self.leading.setdefault(start, []).append((change, place, b))
        for named in deed.unorders:
            self.replacing.setdefault(named, []).append(change)

    def _leave_order(self, change: int, deed: Deed) -> None:
        self.ordering.discard(change)
        for place, (a, b, inside) in enumerate(deed.orders):
            self.leading[point(a, TEXT if inside else OUT)].remove((change, place, b))
        for named in deed.unorders:
            self.replacing[named].remove(change)

    def _place(self, block: Block) -> None:
        weave, (start, size, left, right) = self.weave, block
        if right == EDGE:
            weave.append(start, size, ALIVE)
        elif right & 3 == OUT and left == right - OUT + TEXT:
            weave.insert_after(right >> 2, start, size)
            return
        else:
            weave.insert_before(right >> 2, start, size)
        if left != EDGE:
            weave.cut_after(left >> 2)

    def _delete(self, span: Span, change: int, fates: dict[int, int]) -> None:
        """Delete lines; `fates` are those that the change has made of others so far.

        A merge may delete again thousands of lines that hundreds of changes deleted.
        """
        weave = self.weave
        for start in weave.within(*span):
            chunk, place = weave.at(start)
            old = chunk.fates[place]
            if old not in fates:
                deletions, cancels = self.fates[old]
                if deletions:
                    self.doubled.update((*deletions, change))
                fate = Fate(tuple(sorted((*deletions, change))), cancels)
                fates[old] = self.fate_index(fate)
            chunk.fates[place] = fates[old]

    def _dispute(self, change: int, deed: Deed) -> None:
        weave = self.weave
        for cancel in deed.cancels:
            added = {(deletion, change) for deletion in cancel.deletions}
            for start in weave.within(*cancel.span):
                deletions, cancels = self.fates[weave.fate(start)]
                fate = Fate(deletions, tuple(sorted({*cancels, *added})))
                weave.set_fate(start, self.fate_index(fate))
        for order in deed.orders:
            weave.cut_after(order.a)
            weave.cut(order.b)
        for span in (*(verdict.span for verdict in deed.verdicts), *deed.keeps):
            if span.start >> SHIFT in self.touched:
                self._cut(span)

    def _cut_as_claimed(self, change: int) -> None:
        """Cut a change's lines where changes that came before it name them weakly."""
        for claim in self.claims.get(change, ()):
            self._cut(claim.span)
        for span, _ in self.kept.get(change, ()):
            self._cut(span)

    def _cut(self, span: Span) -> None:
        """Cut where lines are named weakly.

        That their change has so many lines cannot be known before it comes: what it lacks is
        not missed then either, so that the order of arrival makes no difference.
        """
        with suppress(NoLineError):
            self.weave.within(*span)

    def _forget_deletion(self, span: Span, change: int, fates: dict[int, int]) -> None:
        weave = self.weave
        for start in weave.within(*span):
            old = weave.fate(start)
            if old not in fates:
                deletions, cancels = self.fates[old]
                left = tuple(d for d in deletions if d != change)
                fates[old] = self.fate_index(Fate(left, cancels))
            weave.set_fate(start, fates[old])

    def _forget_cancel(self, cancel: Cancel, change: int) -> None:
        weave = self.weave
        for start in weave.within(*cancel.span):
            deletions, cancels = self.fates[weave.fate(start)]
            left = tuple(pair for pair in cancels if pair[1] != change)
            weave.set_fate(start, self.fate_index(Fate(deletions, left)))

    def is_alive(self, fate: int, state: BitMap) -> bool:
        """Return whether lines of a fate are alive in a state that holds their change."""
        deletions, cancels = self.fates[fate]
        if not cancels:
            # Most lines that go at all go once; asked of nearly every run of every reading.
            if len(deletions) == 1:
                return deletions[0] not in state
            return not any(deletion in state for deletion in deletions)
        return not any(
            deletion in state and not any(d == deletion and r in state for d, r in cancels)
            for deletion in deletions
        )

    def counting(self, fate: int, state: BitMap) -> tuple[int, ...]:
        """Return the deletions of a fate that count in a state."""
        deletions, cancels = self.fates[fate]
        return tuple(
            d
            for d in deletions
            if d in state and not any(e == d and r in state for e, r in cancels)
        )


def _kept_by(deed: Deed) -> tuple[Span, ...]:
    return (*(cancel.span for cancel in deed.cancels), *deed.keeps)


def _is_disputing(deed: Deed) -> bool:
    return bool(deed.cancels or deed.orders or deed.unorders or deed.verdicts or deed.keeps)
