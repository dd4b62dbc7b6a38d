"""The naive model of one text: changes go in, sets of them read out (spec: graph, conflicts).

It states what the fast graph has to do, one object a line and quadratic throughout.
"""

from collections.abc import Iterable, Sequence

from tests.naive.change import Key, NaiveChange, Pair, State
from tests.naive.edits import Edit, apply_edits, edits_between
from tests.naive.recording import record_change
from tests.naive.rendering import Item, Line, Rendering, render
from tests.naive.view import View

EMPTY: State = frozenset()


class RefusedChangeError(ValueError):
    """A change refers to what its dependencies do not hold, or to points without an order."""


class NaiveText:
    """Every change to one text that has arrived, in no order."""

    __slots__ = ("_renderings", "_views", "changes")

    def __init__(self) -> None:
        self.changes: dict[Key, NaiveChange] = {}
        self._views: dict[State, View] = {}
        self._renderings: dict[State, Rendering] = {}

    def add(self, change: NaiveChange) -> None:
        """Take a change in.

        Raises:
            RefusedChangeError: a dependency is absent, a line that the change refers to is in
                none of them, or they do not order the two points of an insert.
        """
        missing = change.dependencies - self.changes.keys()
        if missing:
            message = f"change {change.key.hex()} depends on absent {min(missing).hex()}"
            raise RefusedChangeError(message)
        below = self.view(self.closure(change.dependencies))
        strangers = change.references().difference(below.lines)
        if strangers:
            message = f"change {change.key.hex()} refers to {min(strangers)} without depending"
            raise RefusedChangeError(message)
        inserted = below.insert_order()
        for insert in change.inserts:
            left, right = insert.left, insert.right
            if left is not None and right is not None and not inserted.precedes(left, right):
                message = f"change {change.key.hex()} inserts between unordered points"
                raise RefusedChangeError(message)
        self.changes[change.key] = change

    def closure(self, keys: Iterable[Key]) -> State:
        """Return the changes with all that they depend on."""
        taken: set[Key] = set()
        ahead = list(keys)
        while ahead:
            key = ahead.pop()
            if key not in taken:
                taken.add(key)
                ahead.extend(self.changes[key].dependencies)
        return frozenset(taken)

    def dependents(self, keys: Iterable[Key], state: State) -> State:
        """Return the changes of a state that cannot stay when some go, these included."""
        return self.view(state).dependents(frozenset(keys))

    def view(self, state: State) -> View:
        """Return what a state says."""
        if state not in self._views:
            self._views[state] = View({key: self.changes[key] for key in sorted(state)})
        return self._views[state]

    def rendering(self, state: State) -> Rendering:
        """Return what a state reads as, with its collapsed regions and open pairs."""
        if state not in self._renderings:
            self._renderings[state] = render(self.view(state))
        return self._renderings[state]

    def render(self, state: State) -> list[Item]:
        """Return the lines and conflicts of a state, in order."""
        return list(self.rendering(state).items)

    def flags(self, state: State) -> frozenset[Pair]:
        """Return the pairs and triples that are open in a state."""
        return self.rendering(state).open

    def shown(self, state: State, *, last_first: bool = False) -> list[str]:
        """Return the text that edits start from: a conflict's sides one after the other."""
        view = self.view(state)
        return [view.text(line) for line in self.rendering(state).shown(last_first=last_first)]

    def record(
        self,
        state: State,
        text: Sequence[str],
        key: Key,
        edits: Sequence[Edit] | None = None,
        *,
        last_first: bool = False,
    ) -> NaiveChange:
        """Return the change that makes a state read as the text, without adding it.

        The edits are against what the state shows, with the last side of each conflict first if
        so asked; without edits they are found.

        Raises:
            ValueError: the edits do not make the text of what the state shows.
        """
        old = self.shown(state, last_first=last_first)
        chosen = edits_between(old, text) if edits is None else edits
        if apply_edits(old, text, chosen) != list(text):
            message = "the edits do not make the text"
            raise ValueError(message)
        rendering = self.rendering(state)
        shown = rendering.shown(last_first=last_first)
        return record_change(self.view(state), rendering, shown, text, chosen, key)

    def commit(
        self,
        state: State,
        text: Sequence[str],
        key: Key,
        edits: Sequence[Edit] | None = None,
        *,
        last_first: bool = False,
    ) -> State:
        """Record a text, add the change, and return the state with it."""
        self.add(self.record(state, text, key, edits, last_first=last_first))
        return state | {key}

    def show(self, state: State) -> str:
        """Return a state as one string, each conflict as `{side|side}`."""
        view = self.view(state)
        parts = []
        for item in self.render(state):
            if isinstance(item, Line):
                parts.append(view.text(item.id))
            else:
                sides = ("".join(map(view.text, side)) for side in item.sides)
                parts.append("{" + "|".join(sides) + "}")
        return "".join(parts)
