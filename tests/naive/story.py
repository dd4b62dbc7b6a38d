"""Merge cases told in letters: each letter a line, `{x|y}` a conflict (spec: conflicts)."""

import re
from collections.abc import Sequence
from typing import TypeAlias

from tests.naive.change import Key, LineId, State
from tests.naive.rendering import Line
from tests.naive.text import EMPTY, NaiveText

Reading: TypeAlias = tuple[str | frozenset[str], ...]


class Story:
    """One text, its base, and the changes told so far.

    `ranks` gives the order of the changes' ids: the rank of the base, then of each change in
    the order of telling; after the last, ids follow the telling.
    """

    __slots__ = ("_ranks", "base", "text")

    def __init__(self, base: str, ranks: Sequence[int] = ()) -> None:
        self.text = NaiveText()
        self._ranks = ranks
        self.base = self.tell(EMPTY, base)

    def tell(self, state: State, *texts: str) -> State:
        """Record the texts one after the other, and return the state after the last."""
        for text in texts:
            state = self.text.commit(state, text, self.next_key())
        return state

    def fork(self, *texts: str) -> State:
        """Record the texts one after the other on the base."""
        return self.tell(self.base, *texts)

    def next_key(self) -> Key:
        """Return the id that the next change has to take."""
        number = len(self.text.changes)
        rank = self._ranks[number] if number < len(self._ranks) else 255
        return bytes((rank, number))

    def line(self, state: State, letter: str) -> LineId:
        """Return the one line that a state shows as this letter."""
        view = self.text.view(state)
        shown = self.text.rendering(state).shown()
        (line,) = (line for line in shown if view.text(line) == letter)
        return line

    def reads(self, state: State) -> Reading:
        """Return what a state reads as, whatever the order of its sides."""
        return reads(self.text, state)


def reads(text: NaiveText, state: State) -> Reading:
    """Return what a state reads as, whatever the order of its sides."""
    view = text.view(state)
    return tuple(
        view.text(item.id)
        if isinstance(item, Line)
        else frozenset("".join(map(view.text, side)) for side in item.sides)
        for item in text.render(state)
    )


def reading(notation: str) -> Reading:
    """Return what `a{x|y}b` stands for."""
    return tuple(
        frozenset(part[1:-1].split("|")) if part.startswith("{") else part
        for part in re.findall(r"\{[^}]*\}|.", notation, re.DOTALL)
    )
