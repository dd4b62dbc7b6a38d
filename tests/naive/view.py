"""What a set of changes says about a text: lines, order, deletions (spec: graph)."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from tests.naive.change import Key, LineId, NaiveChange, Place, Point, State
from tests.naive.precedence import Edge, Precedence


class View:
    """The lines of a closed set of changes.

    `deleters` maps a dead line to the changes whose deletion of it counts. Of a region alone
    there are only some lines, and those that are spent are dead without a deleter. Cost: that
    of the closure of the order.
    """

    __slots__ = ("_known", "_only", "changes", "deleters", "lines", "live", "order", "spent")

    def __init__(
        self,
        changes: Mapping[Key, NaiveChange],
        only: frozenset[LineId] | None = None,
        spent: frozenset[LineId] = frozenset(),
    ) -> None:
        self.changes = changes
        self._only = only
        self.spent = spent
        every = [line for change in changes.values() for line in change.lines]
        self.lines = [line for line in every if only is None or line in only]
        self.deleters = self._count_deletions()
        self.live = [
            line for line in self.lines if line not in self.deleters and line not in spent
        ]
        edges = [*self._insert_edges(), *self._order_edges()]
        self.order = Precedence(self.lines, edges)
        self._known: dict[Key, State] = {}

    def insert_order(self) -> Precedence:
        """Return the order that the inserts alone say; it never has a cycle."""
        return Precedence(self.lines, self._insert_edges())

    def text(self, line: LineId) -> str:
        """Return one line's text."""
        return self.changes[line.change].texts[line.number]

    def with_change(self, change: NaiveChange) -> "View":
        """Return the view of one change more."""
        return View({**self.changes, change.key: change})

    def without(self, keys: State) -> "View":
        """Return the view of the set without some changes."""
        left = {k: change for k, change in self.changes.items() if k not in keys}
        return View(left, self._only, self.spent)

    def alone(self, lines: frozenset[LineId], spent: frozenset[LineId]) -> "View":
        """Return the view of some of the lines alone."""
        return View(self.changes, lines, self.spent | spent)

    def known(self, key: Key) -> State:
        """Return what a change knows here: reached by contexts and dependencies in the set."""
        if key not in self._known:
            reached: set[Key] = set()
            ahead = [key]
            while ahead:
                change = self.changes[ahead.pop()]
                named = (change.context | change.dependencies) & self.changes.keys()
                ahead.extend(named - reached)
                reached |= named
            self._known[key] = frozenset(reached)
        return self._known[key]

    def concurrent(self, one: Key, other: Key) -> bool:
        """Return whether neither of two changes knows the other."""
        return one != other and one not in self.known(other) and other not in self.known(one)

    def dependents(self, keys: State) -> State:
        """Return the changes with all that depend on them."""
        taken = set(keys)
        grown = True
        while grown:
            more = {k for k, change in self.changes.items() if change.dependencies & taken}
            grown = not more <= taken
            taken |= more
        return frozenset(taken)

    def heads(self) -> State:
        """Return the changes that no other names."""
        named = {k for c in self.changes.values() for k in c.context | c.dependencies}
        return frozenset(self.changes.keys() - named)

    def _count_deletions(self) -> dict[LineId, set[Key]]:
        cancelled = {
            (restore.line, restore.deletion)
            for change in self.changes.values()
            for restore in change.restores
        }
        deleters: dict[LineId, set[Key]] = {}
        for key, change in self.changes.items():
            for line in change.deletes():
                if (line, key) not in cancelled:
                    deleters.setdefault(line, set()).add(key)
        return {
            line: found
            for line, found in deleters.items()
            if line not in self.spent and (self._only is None or line in self._only)
        }

    def _insert_edges(self) -> Iterator[Edge]:
        for change in self.changes.values():
            for number, insert in enumerate(change.inserts):
                block = change.block(number)
                for upper, lower in pairwise(block):
                    yield Point(upper, Place.OUT), Point(lower, Place.IN)
                if insert.left is not None:
                    yield insert.left, Point(block[0], Place.IN)
                if insert.right is not None:
                    yield Point(block[-1], Place.OUT), insert.right

    def _order_edges(self) -> Iterator[Edge]:
        replaced = {
            (unorder.change, unorder.number)
            for change in self.changes.values()
            for unorder in change.unorders
        }
        for key, change in self.changes.items():
            for index, order in enumerate(change.orders):
                if (key, index) not in replaced:
                    leaves = Place.TEXT if order.inside else Place.OUT
                    yield Point(order.before, leaves), Point(order.after, Place.IN)
