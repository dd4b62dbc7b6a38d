"""The history of lines: what they took the place of, and who did what to them (spec: S63).

Lines know their changes, so nothing is searched: the lines of a range, those that died between
them, and those that any of these took the place of.
"""

from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.actions.blame import NotTextError, stretches
from oxy.actions.past import Past
from oxy.actions.patch import FileDiff, difference
from oxy.actions.show import side
from oxy.actions.succession import Succession
from oxy.actions.tree import file_at
from oxy.diff.lines import edits
from oxy.diff.unified import Hunk, shown
from oxy.graph.draft import flat
from oxy.graph.text import Span, TextGraph
from oxy.graph.weave import SHIFT
from oxy.model.operation import KIND_TEXT
from oxy.repo.repository import Repository
from oxy.repo.states import Name


class Lineage(NamedTuple):
    """Lines of one text, and the changes of a state that made, deleted or restored them."""

    node: int
    lines: frozenset[int]
    changes: BitMap


class Stretch(NamedTuple):
    """What a change did to lines of a file: the file's difference, and one hunk of it."""

    file: FileDiff
    hunk: Hunk


def text_lines(repository: Repository, state: Name, path: bytes) -> list[bytes]:
    """Return the lines of a text as blame numbers them.

    Raises:
        NoPathError, IsDirectoryError, NotTextError: there is no such text.
    """
    node = _text_at(repository, state, path)
    reading = repository.nodes.reading(node, repository.states.members(state))
    spans = (piece.span for piece in stretches(reading))
    return repository.nodes.text(node, spans).split(b"\n")[:-1]


def lineage(repository: Repository, state: Name, path: bytes, first: int, last: int) -> Lineage:
    """Return what lines of a file come from; they are numbered from 1, as blame numbers them.

    Cost: the runs of the text; of what replaced what, the lines.

    Raises:
        NoPathError, IsDirectoryError, NotTextError: there is no such text.
    """
    node = _text_at(repository, state, path)
    members = repository.states.members(state)
    graph = repository.nodes.graph(node)
    spans = (piece.span for piece in stretches(repository.nodes.reading(node, members)))
    numbered = [line for start, size in spans for line in range(start, start + size)]
    found = set(numbered[first - 1 : last])
    found |= set(_died_between(graph, members, found, set(numbered)))
    _add_elders(repository, node, members, found)
    return Lineage(node, frozenset(found), BitMap(_doers(graph, members, found)))


def _text_at(repository: Repository, state: Name, path: bytes) -> int:
    entry = file_at(repository, state, path)
    if entry.kind != KIND_TEXT:
        raise NotTextError(path)
    return entry.node


def _died_between(
    graph: TextGraph, state: BitMap, chosen: set[int], living: set[int]
) -> Iterator[int]:
    """Yield the lines of a state that stand between some and are not in its text."""
    left = len(chosen)
    for start, size, _ in graph.weave.runs():
        if start >> SHIFT not in state:
            continue
        for line in range(start, start + size):
            if line in chosen:
                left -= 1
            elif 0 < left < len(chosen) and line not in living:
                yield line
        if not left:
            return


def _add_elders(repository: Repository, node: int, state: BitMap, found: set[int]) -> None:
    """Add the lines that lines took the place of, and what those did.

    A block whose lines are all meant goes back to all that it replaced.
    """
    graph = repository.nodes.graph(node)
    succession = Succession(repository.nodes, node, Past(frozenset(graph.touched)))
    # What a change replaced is older than it, so its own lines are all found by then.
    for change in sorted(state & graph.touched, reverse=True):
        for spans, block in graph.deeds[change].deletions:
            if block is None:
                continue
            own = range(block.start, block.start + block.size)
            meant = [line for line in own if line in found]
            if len(meant) == len(own):
                found.update(x for start, size in spans for x in range(start, start + size))
            else:
                elders = map(succession.elder, meant)
                found.update(elder for elder in elders if elder is not None)


def _doers(graph: TextGraph, state: BitMap, lines: set[int]) -> Iterator[int]:
    for start, size, fate in graph.weave.runs():
        if lines.isdisjoint(range(start, start + size)):
            continue
        yield start >> SHIFT
        deletions, cancels = graph.fates[fate]
        yield from (change for change in deletions if change in state)
        yield from (change for _, change in cancels if change in state)


def stretch(repository: Repository, change: int, of: Lineage) -> Stretch | None:
    """Return what a change did to lines; None where nothing of that shows.

    Cost: the text before and after the change.
    """
    states = repository.states
    old, new = states.members(states.link(change).context), states.of_change(change)
    file = difference(side(repository, of.node, old), side(repository, of.node, new))
    if file is None:
        return None
    before, after = (_numbered(repository, of.node, state) for state in (old, new))
    was, now = _within(before, of.lines), _within(after, of.lines)
    if not was and not now:
        return None
    if not was:
        was = _empty_beside(before, after, now)
    if not now:
        now = _empty_beside(after, before, was)
    one, other = (
        repository.nodes.text(of.node, (Span(line, 1) for line in lines))
        for lines in (before[was.start : was.stop], after[now.start : now.stop])
    )
    found = edits(one, other)
    if not found:
        return None
    (hunk,) = shown(one, other, [found], len(one) + len(other))
    return Stretch(file, hunk._replace(old_start=was.start, new_start=now.start))


def _numbered(repository: Repository, node: int, state: BitMap) -> list[int]:
    spans = flat(repository.nodes.reading(node, state))
    return [line for start, size in spans for line in range(start, start + size)]


def _within(text: Sequence[int], lines: frozenset[int]) -> range:
    """Return the numbers from the first to the last of some lines in a text, from 0."""
    places = [place for place, line in enumerate(text) if line in lines]
    return range(places[0], places[-1] + 1) if places else range(0)


def _empty_beside(text: Sequence[int], other: Sequence[int], lines: range) -> range:
    """Return the empty range of a text where another text has lines that it lacks."""
    places = {line: place for place, line in enumerate(text)}
    above = (places[line] + 1 for line in reversed(other[: lines.start]) if line in places)
    at = next(above, 0)
    return range(at, at)
