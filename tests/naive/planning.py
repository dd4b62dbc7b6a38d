"""From a reading and its edits to the lines that are wanted (spec: graph, G17)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from tests.naive.change import Key, LineId
from tests.naive.edits import Edit
from tests.naive.precedence import Precedence
from tests.naive.rendering import Rendering, Twins


class Kept(NamedTuple):
    """A shown line that stays."""

    line: LineId


class Fresh(NamedTuple):
    """A new line, and the last of the lines that its edit dropped, if any."""

    text: str
    instead_of: LineId | None


Wanted: TypeAlias = Kept | Fresh


class Plan(NamedTuple):
    """What an edited reading asks for.

    `drops` are the stretches to delete; `decided` the lines of collapsed regions that an edit
    came near, `leans_on` the changes whose line such a region keeps.
    """

    wanted: tuple[Wanted, ...]
    drops: tuple[tuple[LineId, ...], ...]
    decided: frozenset[LineId]
    leans_on: frozenset[Key]


def plan(
    shown: Sequence[LineId], rendering: Rendering, text: Sequence[str], edits: Sequence[Edit]
) -> Plan:
    """Follow the edits through the shown lines."""
    wanted: list[Wanted] = []
    drops: list[tuple[LineId, ...]] = []
    decided: set[LineId] = set()
    leans_on: set[Key] = set()
    position = 0
    for edit in edits:
        end = edit.old_start + edit.old_count
        wanted.extend(map(Kept, shown[position : edit.old_start]))
        dropped = tuple(shown[edit.old_start : end])
        if dropped:
            drops.append(dropped)
        near = frozenset(shown[max(edit.old_start - 1, 0) : end + 1])
        for twins in rendering.twins:
            if near & twins.shown:
                decided.update(twins.shown, twins.beneath)
                retired = list(_retired(twins, drops))
                drops.extend(retired)
                leans_on.update(line.change for line in twins.shown if retired)
        last = dropped[-1] if dropped else None
        new = text[edit.new_start : edit.new_start + edit.new_count]
        wanted.extend(Fresh(line, last) for line in new)
        position = end
    wanted.extend(map(Kept, shown[position:]))
    return Plan(tuple(wanted), tuple(drops), frozenset(decided), frozenset(leans_on))


def _retired(twins: Twins, drops: Sequence[tuple[LineId, ...]]) -> Iterator[tuple[LineId, ...]]:
    """Yield each line beneath a collapsed region that is not dropped yet, by itself."""
    gone = {line for drop in drops for line in drop}
    for line in twins.beneath:
        if line not in gone:
            yield (line,)


def uncovered(planned: Plan, unshown: Sequence[LineId], disputed: frozenset[LineId]) -> Plan:
    """Retire the live lines that no side of a conflict shows.

    A side that reads as another is not listed, so its lines may be nowhere; a resolution that
    left them alive would not read back. They go for the sake of the disputed lines that stay,
    hence the dependency on those.
    """
    if not unshown:
        return planned
    stays = {item.line for item in planned.wanted if isinstance(item, Kept)} & disputed
    return planned._replace(
        drops=planned.drops + tuple((line,) for line in unshown),
        leans_on=planned.leans_on.union(line.change for line in stays),
    )


def renewed(planned: Plan, text: dict[LineId, str], inserted: Precedence) -> Plan:
    """Delete and insert anew each kept line that stands against the insert order.

    Only a resolution can ask for that: what one side shows may come, for the inserts, before
    what the side above it shows.
    """
    wanted: list[Wanted] = []
    drops = list(planned.drops)
    kept: list[LineId] = []
    for item in planned.wanted:
        if isinstance(item, Fresh):
            wanted.append(item)
        elif any(inserted.before(item.line, upper) for upper in kept):
            drops.append((item.line,))
            wanted.append(Fresh(text[item.line], None))
        else:
            kept.append(item.line)
            wanted.append(item)
    return planned._replace(wanted=tuple(wanted), drops=tuple(drops))
