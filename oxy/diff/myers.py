"""Shortest edit of two number sequences by Myers' divide and conquer, within a budget of steps.

E. Myers, "An O(ND) difference algorithm and its variations", 1986: the middle of a shortest
path is where the furthest forward and backward paths meet. Ties go the way Git's do, so that
the choice among equally short edits is the one its users know. Spec: diff. Pure.
"""

from collections.abc import Sequence
from oxy.typed import NamedTuple

MAX_ROUNDS = 256
"""How far the two searches of one box go before the best point so far is taken."""

_PAD_OLD = -1
_PAD_NEW = -2
_NOWHERE = (1, 0)


class Box(NamedTuple):
    """A stretch of the old sequence against a stretch of the new one."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


class Marks:
    """Which positions of the two sequences are dropped and which are added."""

    __slots__ = ("added", "dropped")

    def __init__(self) -> None:
        self.dropped: list[int] = []
        self.added: list[int] = []

    def replace(self, box: Box) -> None:
        """Mark all of a box: nothing in it is kept."""
        self.dropped += range(box.old_start, box.old_end)
        self.added += range(box.new_start, box.new_end)


def shortest_edit(
    old: Sequence[int], new: Sequence[int], box: Box, marks: Marks, budget: int
) -> list[Box]:
    """Mark a shortest edit of a box; return the parts that the budget did not reach.

    Cost: at most about `budget` steps, plus the lines of the box; a step is one diagonal of one
    round or one line compared along a diagonal.
    """
    unsolved: list[Box] = []
    todo = [box]
    while todo:
        box = trimmed(old, new, todo.pop())
        if box.old_start == box.old_end or box.new_start == box.new_end:
            marks.replace(box)
            continue
        split = None
        if budget > 0:
            search = _Search(old, new, box, budget)
            split = search.middle()
            budget -= search.steps
        if split is None:
            unsolved.append(box)
            continue
        x, y = split
        todo.append(Box(x, box.old_end, y, box.new_end))
        todo.append(Box(box.old_start, x, box.new_start, y))
    return unsolved


def trimmed(old: Sequence[int], new: Sequence[int], box: Box) -> Box:
    """Return a box without its common head and tail."""
    old_start, old_end, new_start, new_end = box
    while old_start < old_end and new_start < new_end and old[old_start] == new[new_start]:
        old_start += 1
        new_start += 1
    while old_start < old_end and new_start < new_end and old[old_end - 1] == new[new_end - 1]:
        old_end -= 1
        new_end -= 1
    return Box(old_start, old_end, new_start, new_end)


class _Search:
    """The two searches of one box that is trimmed and has lines on both sides.

    Positions are relative to the box. Diagonal k holds the points with x - y = k; `forward[k]`
    is the furthest x reached on it, `backward[k - delta]` the least one. Negative indices wrap
    round, which Python lists do by themselves. The pads end every comparison at the border of
    the box without a test for it.
    """

    __slots__ = (
        "_backward",
        "_box",
        "_budget",
        "_delta",
        "_forward",
        "_new",
        "_old",
        "_rounds",
        "steps",
    )

    def __init__(self, old: Sequence[int], new: Sequence[int], box: Box, budget: int) -> None:
        height, width = box.old_end - box.old_start, box.new_end - box.new_start
        self._rounds = min(MAX_ROUNDS, (height + width) // 2 + 1)
        pad = self._rounds + 2
        self._box = box
        self._old = [*old[box.old_start : box.old_end], *[_PAD_OLD] * pad]
        self._new = [*new[box.new_start : box.new_end], *[_PAD_NEW] * pad]
        self._delta = height - width
        self._forward = [-1] * (2 * pad + 1)
        self._backward = [height + width + 1] * (2 * pad + 1)
        self._forward[0] = 0
        self._backward[0] = height
        self._budget = budget
        self.steps = 0

    def middle(self) -> tuple[int, int] | None:
        """Return a point to divide the box at, or None when the budget is used up.

        It is on a shortest path unless the rounds are used up first.
        """
        box, delta = self._box, self._delta
        least, most = box.new_start - box.new_end, box.old_end - box.old_start
        low = high = 0
        back_low = back_high = delta
        odd = delta % 2 == 1
        for _ in range(self._rounds):
            low += -1 if low > least else 1
            high += 1 if high < most else -1
            at = self._advance(low, high, *((back_low, back_high) if odd else _NOWHERE))
            if at is None:
                back_low += -1 if back_low > least else 1
                back_high += 1 if back_high < most else -1
                facing = _NOWHERE if odd else (low, high)
                at = self._retreat(back_low, back_high, *facing)
            if at is not None:
                return box.old_start + at[0], box.new_start + at[1]
            if self.steps > self._budget:
                return None
        return self._furthest(range(high, low - 1, -2), range(back_high, back_low - 1, -2))

    def _furthest(self, ahead: range, behind: range) -> tuple[int, int]:
        """Return the point of the search that came further, when the two have not met.

        It need not be on a shortest path, but the way to it is the best of its length.
        """
        box, delta = self._box, self._delta
        height, width = box.old_end - box.old_start, box.new_end - box.new_start
        gone, x, y = -1, 0, 0
        for k in ahead:
            at = min(self._forward[k], height, width + k)
            if 2 * at - k > gone:
                gone, x, y = 2 * at - k, at, at - k
        left, back_x, back_y = height + width, height, width
        for k in behind:
            at = max(self._backward[k - delta], 0, k)
            if 2 * at - k < left:
                left, back_x, back_y = 2 * at - k, at, at - k
        if height + width - left < gone:
            return box.old_start + x, box.new_start + y
        return box.old_start + back_x, box.new_start + back_y

    def _advance(
        self, low: int, high: int, meets_low: int, meets_high: int
    ) -> tuple[int, int] | None:
        old, new, reached = self._old, self._new, self._forward
        facing, delta = self._backward, self._delta
        steps = self.steps + high - low
        for k in range(high, low - 1, -2):
            x = reached[k - 1] + 1
            if reached[k + 1] >= x:  # noqa: PLR1730 -- a call of max() doubles the cost of a step
                x = reached[k + 1]
            y = x - k
            if old[x] == new[y]:
                steps -= x
                while old[x] == new[y]:
                    x += 1
                    y += 1
                steps += x
                if steps > self._budget:
                    break
            reached[k] = x
            if meets_low <= k <= meets_high and facing[k - delta] <= x:
                self.steps = steps
                return x, y
        self.steps = steps
        return None

    def _retreat(
        self, low: int, high: int, meets_low: int, meets_high: int
    ) -> tuple[int, int] | None:
        old, new, reached = self._old, self._new, self._backward
        facing, delta = self._forward, self._delta
        steps = self.steps + high - low
        for k in range(high, low - 1, -2):
            x = reached[k - delta + 1] - 1
            if reached[k - delta - 1] <= x:  # noqa: PLR1730 -- as above, for min()
                x = reached[k - delta - 1]
            y = x - k
            if old[x - 1] == new[y - 1]:
                steps += x
                while old[x - 1] == new[y - 1]:
                    x -= 1
                    y -= 1
                steps -= x
                if steps > self._budget:
                    break
            reached[k - delta] = x
            if meets_low <= k <= meets_high and x <= facing[k]:
                self.steps = steps
                return x, y
        self.steps = steps
        return None
