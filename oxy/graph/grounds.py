"""States of one text that are known to read in one way only (spec: graph, G54). Pure.

What such a state has is a ground to stand on: a larger state need only be looked at where the
changes are that it has more.
"""

from collections.abc import Iterator
from oxy.typed import Final

from pyroaring import BitMap

from oxy.graph.deed import Deed

REMEMBERED: Final = 128
"""Grounds that are known of a text; the ones noted longest ago go first."""

WARM: Final = 8
"""Grounds of which members and fates are remembered: a kilobyte for ten changes of the text."""

TRIED: Final = 12
"""Grounds that are looked at below one state."""


class Ground:
    """One state; `alive` remembers which fates are alive in it."""

    __slots__ = ("_members", "alive", "state")

    def __init__(self, state: BitMap) -> None:
        self.state = state
        self._members: frozenset[int] = frozenset()
        self.alive: dict[int, bool] = {}

    @property
    def members(self) -> frozenset[int]:
        """The changes of the state, to ask for many times. Cost: the first call's copy."""
        if not self._members:
            self._members = frozenset(self.state)
        return self._members

    def cool(self) -> None:
        """Drop what is only remembered."""
        self._members = frozenset()
        self.alive = {}


class Grounds:
    """The states of one text that are known; without the changes that leave the text alone."""

    __slots__ = ("_expected", "_known", "_open", "_warm", "folded")

    def __init__(self) -> None:
        self._known: list[Ground] = []
        self._open: list[BitMap] = []
        self._warm: list[Ground] = []
        self._expected: dict[int, tuple[Deed, BitMap]] = {}
        self.folded: dict[int, bool] = {}
        """Whether lines of a change may lie between some that it deletes (`oxy.graph.thin`)."""

    def note(self, state: BitMap) -> None:
        """Remember a state that has no open pair, and whose live lines have one order."""
        if self.has(state):
            return
        self._known.append(Ground(BitMap(state)))
        if len(self._known) > REMEMBERED:
            del self._known[0]

    def has(self, state: BitMap) -> bool:
        """Return whether a state is known to read in one way only."""
        return not state or any(ground.state == state for ground in self._known)

    def note_open(self, state: BitMap) -> None:
        """Remember a state that does not read in one way."""
        self._open = [*self._open[1 - REMEMBERED :], BitMap(state)]

    def is_open(self, state: BitMap) -> bool:
        """Return whether a state is known not to read in one way."""
        return state in self._open

    def largest(self) -> BitMap:
        """Return the largest state that is known; the empty one always is."""
        return max((ground.state for ground in self._known), key=len, default=BitMap())

    def below(self, state: BitMap) -> Iterator[Ground]:
        """Yield some grounds whose changes a state has, the largest first."""
        found = [ground for ground in self._known if ground.state <= state]
        found.sort(key=lambda ground: -len(ground.state))
        for ground in found[:TRIED]:
            self._warm = [*(each for each in self._warm if each is not ground), ground]
            if len(self._warm) > WARM:
                self._warm.pop(0).cool()
            yield ground

    def expect(self, change: int, deed: Deed, state: BitMap) -> None:
        """Tell which state is to be noted once a change is applied, if it does just this."""
        self._expected = {change: (deed, state)}

    def arrive(self, change: int, deed: Deed) -> None:
        """Note the state that was expected with a change."""
        expected = self._expected.pop(change, None)
        if expected is not None and expected[0][1:] == deed[1:]:
            self.note(expected[1])

    def forget(self, change: int) -> None:
        """Forget the states that have a change, which means something else from now on."""
        self._known = [ground for ground in self._known if change not in ground.state]
        self._open = [state for state in self._open if change not in state]
        self.folded.pop(change, None)
