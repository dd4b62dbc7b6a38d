"""Recording an edited reading as a change (spec: graph, conflicts)."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from tests.naive.change import (
    Hunk,
    Insert,
    Key,
    LineId,
    NaiveChange,
    Order,
    Pair,
    Place,
    Point,
    Restore,
    Unorder,
)
from tests.naive.conflicts import find
from tests.naive.edits import Edit
from tests.naive.planning import Fresh, Kept, Plan, Wanted, plan, renewed, uncovered
from tests.naive.precedence import Precedence
from tests.naive.rendering import Conflict, Rendering
from tests.naive.view import View


class _Laid(NamedTuple):
    """The result's lines in order, and the blocks of new ones with the lines they replace."""

    reading: tuple[LineId, ...]
    texts: tuple[str, ...]
    inserts: tuple[Insert, ...]
    hosts: tuple[LineId | None, ...]


def record_change(
    view: View,
    rendering: Rendering,
    shown: Sequence[LineId],
    text: Sequence[str],
    edits: Sequence[Edit],
    key: Key,
) -> NaiveChange:
    """Return the change that makes the shown lines of a set read as the text."""
    inserted = view.insert_order()
    planned = _follow(view, rendering, shown, text, edits, inserted)
    laid = _lay(planned.wanted, key, inserted, in_place=not rendering.conflicted)
    change = NaiveChange(
        key=key,
        texts=laid.texts,
        inserts=laid.inserts,
        hunks=tuple(Hunk(drop, _block_for(drop, laid)) for drop in planned.drops),
        restores=_restores(view, laid),
        keeps=_keeps(rendering, laid),
        context=view.heads(),
    )
    change = _put_in_order(view, change, laid)
    change = change._replace(dependencies=_dependencies(change, planned))
    return change._replace(settles=_settles(view, rendering, change, planned, laid))


def _follow(
    view: View,
    rendering: Rendering,
    shown: Sequence[LineId],
    text: Sequence[str],
    edits: Sequence[Edit],
    inserted: Precedence,
) -> Plan:
    """Return what the edits ask for, a resolution made to fit what it resolves."""
    planned = plan(shown, rendering, text, edits)
    if not rendering.conflicted:
        return planned
    seen = {line for twins in rendering.twins for line in twins.beneath}.union(shown)
    unshown = [line for line in view.live if line not in seen]
    planned = uncovered(planned, unshown, _disputed(rendering))
    return renewed(planned, {line: view.text(line) for line in shown}, inserted)


def _lay(wanted: Sequence[Wanted], key: Key, inserted: Precedence, *, in_place: bool) -> _Laid:
    """Give the new lines their identity and each run of them its two points."""
    reading: list[LineId] = []
    texts: list[str] = []
    inserts: list[Insert] = []
    hosts: list[LineId | None] = []
    below = [item.line for item in wanted if isinstance(item, Kept)]
    for _, group in groupby(wanted, key=lambda item: isinstance(item, Kept)):
        run = list(group)
        fresh = [item for item in run if isinstance(item, Fresh)]
        if not fresh:
            reading.extend(item.line for item in run if isinstance(item, Kept))
            below = below[len(run) :]
            continue
        dropped = [item.instead_of for item in fresh if item.instead_of is not None]
        host = dropped[-1] if dropped and in_place else None
        if host is None:
            left, right = _neighbours(reading, below, inserted)
        else:
            left, right = Point(host, Place.TEXT), Point(host, Place.OUT)
        inserts.append(Insert(len(fresh), left, right))
        hosts.append(host)
        reading.extend(LineId(key, len(texts) + offset) for offset in range(len(fresh)))
        texts.extend(item.text for item in fresh)
    return _Laid(tuple(reading), tuple(texts), tuple(inserts), tuple(hosts))


def _neighbours(
    above: Sequence[LineId], below: Sequence[LineId], inserted: Precedence
) -> tuple[Point | None, Point | None]:
    """Return the two points between which a block lies that takes no line's place."""
    if not above:
        return None, Point(below[0], Place.IN) if below else None
    upper = above[-1]
    left = Point(upper, Place.TEXT if _around(upper, below, inserted) else Place.OUT)
    following = (Point(line, Place.IN) for line in below)
    return left, next((p for p in following if inserted.precedes(left, p)), None)


def _around(upper: LineId, below: Sequence[LineId], inserted: Precedence) -> bool:
    """Return whether a line that is to follow lies inside this one.

    What comes next has to come before that line, so it goes after the text, not after the out.
    """
    return any(inserted.inside(line, upper) for line in below)


def _block_for(drop: Sequence[LineId], laid: _Laid) -> int | None:
    """Return the insert that takes the place of a dropped stretch."""
    hosted = (number for number, host in enumerate(laid.hosts) if host in drop)
    return next(hosted, None)


def _restores(view: View, laid: _Laid) -> tuple[Restore, ...]:
    """Return the cancellations that bring the dead lines of the result back."""
    return tuple(
        Restore(line, deletion)
        for line in laid.reading
        for deletion in sorted(view.deleters.get(line, ()))
    )


def _keeps(rendering: Rendering, laid: _Laid) -> tuple[LineId, ...]:
    """Return the lines of the result that a conflict showed."""
    return tuple(line for line in laid.reading if line in _disputed(rendering))


def _disputed(rendering: Rendering) -> frozenset[LineId]:
    """Return the lines that stand in a shown conflict."""
    return frozenset(
        line
        for item in rendering.items
        if isinstance(item, Conflict)
        for side in item.sides
        for line in side
    )


def _put_in_order(view: View, change: NaiveChange, laid: _Laid) -> NaiveChange:
    """Say the order of the result where the edges do not, anew where they contradict it."""
    after = view.with_change(change)
    inserted = after.insert_order()
    steps = list(pairwise(laid.reading))
    position = {line: number for number, line in enumerate(laid.reading)}
    loose = [step for step in steps if not after.order.strictly(*step)]
    if not loose:
        return change
    orders = {
        (upper, lower): Order(
            upper, lower, _around(upper, laid.reading[position[upper] + 1 :], inserted)
        )
        for upper, lower in steps
        if not inserted.before(upper, lower)
    }
    said = change._replace(orders=tuple(orders[step] for step in loose if step in orders))
    if all(view.with_change(said).order.strictly(*step) for step in steps):
        return said
    unorders = tuple(
        Unorder(key, index)
        for key, earlier in sorted(view.changes.items())
        for index in range(len(earlier.orders))
    )
    return change._replace(orders=tuple(orders.values()), unorders=unorders)


def _dependencies(change: NaiveChange, planned: Plan) -> frozenset[Key]:
    """Return the changes that the operations refer to, and those whose twin they keep."""
    lines = {line.change for line in change.references()}
    orders = {unorder.change for unorder in change.unorders}
    return frozenset(lines | orders | planned.leans_on) - {change.key}


def _settles(
    view: View, rendering: Rendering, change: NaiveChange, planned: Plan, laid: _Laid
) -> tuple[Pair, ...]:
    """Return the pairs that the result would show and that are as meant.

    Those are the pairs that the set did not have open, and those that were decided: beside a
    collapsed region, or by resolving a conflict, whose dead lines are decided with it.
    """
    decided = set(planned.decided)
    if rendering.conflicted:
        decided.update(rendering.regions, laid.reading, change.deletes())
    meant = {
        pair
        for pair in find(view.with_change(change)).open
        if pair not in rendering.open or pair.line in decided
    }
    return tuple(sorted(meant, key=lambda p: (p.line, p.deletion, p.keeper or b"")))
