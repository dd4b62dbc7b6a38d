"""Which change each line of a file came from (spec: command-line, graph).

Every line knows the change that introduced it, so nothing is searched for. Looking past changes
follows what they say that they replaced.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.actions.past import Past
from oxy.actions.tree import file_at
from oxy.errors import RequestError
from oxy.graph.deed import EDGE, Span
from oxy.graph.reading import Reading
from oxy.graph.weave import SHIFT
from oxy.model.change import Header
from oxy.model.operation import KIND_TEXT
from oxy.repo.headers import headers_of
from oxy.repo.nodes import Nodes
from oxy.repo.repository import Repository
from oxy.repo.states import Name

NOTHING: Final = Past()


class NotTextError(RequestError):
    """Lines are asked for of what has none."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is not a text: it has no lines")
        self.path = path


class Origin(NamedTuple):
    """The change that a line came from."""

    id: bytes
    header: Header


class Mark(NamedTuple):
    """Where a line stands in a conflict: which conflict, which side of how many, from 1."""

    conflict: int
    side: int
    sides: int


class Line(NamedTuple):
    """A line of a file: its number from 1, its text without LF, and where it came from.

    What is not recorded yet came from nowhere. Of a deleted line `deleted` are the changes that
    deleted it, the first of them first; none where that is not recorded yet. Its number is 0.
    """

    number: int
    text: bytes
    origin: Origin | None
    mark: Mark | None = None
    deleted: tuple[Origin, ...] | None = None

    @property
    def change(self) -> bytes:
        """The id of the change that it came from, empty where it is not recorded yet."""
        return self.origin.id if self.origin else b""


def blame(
    repository: Repository,
    state: Name,
    path: bytes,
    past: Past = NOTHING,
    *,
    deleted: bool = False,
) -> list[Line]:
    """Return the lines of a text; the sides of a conflict stand one after the other, marked.

    With `deleted` the lines that were deleted stand where they were.
    Cost: the runs and lines of the file, and one header for each change; where something is
    looked past, the lines that its changes replaced.

    Raises:
        NoPathError: there is no file.
        IsDirectoryError: a directory is there.
        NotTextError: it has no lines.
    """
    entry = file_at(repository, state, path)
    if entry.kind != KIND_TEXT:
        raise NotTextError(path)
    nodes, members = repository.nodes, repository.states.members(state)
    placed = list(stretches(nodes.reading(entry.node, members)))
    found = list(_with_deleted(nodes, entry.node, members, placed) if deleted else placed)
    texts = nodes.text(entry.node, (piece.span for piece in found)).split(b"\n")
    eldest = _eldest(nodes, entry.node, past)
    changes = [
        (eldest(line) >> SHIFT if eldest else line >> SHIFT, piece)
        for piece in found
        for line in range(piece.span.start, piece.span.start + piece.span.size)
    ]
    named = {change for change, _ in changes}
    named.update(change for piece in found for change in piece.deleted or ())
    return list(_lines(texts, changes, _origins(repository, sorted(named))))


class Stretch(NamedTuple):
    """Lines with one fate: their place in a conflict, and the changes that deleted them."""

    span: Span
    mark: Mark | None = None
    deleted: tuple[int, ...] | None = None


def _lines(
    texts: Iterable[bytes],
    changes: Iterable[tuple[int, Stretch]],
    origins: Mapping[int, Origin],
) -> Iterator[Line]:
    number = 0
    for text, (change, piece) in zip(texts, changes, strict=False):
        if piece.deleted is None:
            number += 1
            yield Line(number, text, origins[change], piece.mark)
        else:
            by = sorted((origins[each] for each in piece.deleted), key=_age)
            yield Line(0, text, origins[change], None, tuple(by))


def _age(origin: Origin) -> tuple[int, bytes]:
    return origin.header.time.microseconds, origin.id


def _eldest(nodes: Nodes, node: int, past: Past) -> Callable[[int], int] | None:
    if past == NOTHING:
        return None
    from oxy.actions.succession import Succession

    return Succession(nodes, node, past).eldest


def stretches(reading: Reading) -> Iterator[Stretch]:
    """Yield the spans of a reading, each side of a conflict whole."""
    spans = list(reading.spans())
    done = 0
    for number, (position, sides) in enumerate(reading.conflicts, 1):
        yield from map(Stretch, spans[done:position])
        done = position
        for place, side in enumerate(sides, 1):
            mark = Mark(number, place, len(sides))
            yield from (Stretch(span, mark) for span in side.spans)
    yield from map(Stretch, spans[done:])


def _with_deleted(
    nodes: Nodes, node: int, state: BitMap, placed: Iterable[Stretch]
) -> Iterator[Stretch]:
    """Yield stretches with the deleted lines of the state, each behind what it stood behind."""
    graph = nodes.graph(node)
    behind: dict[int, list[Stretch]] = {}
    above = EDGE
    for start, size, fate in graph.weave.runs():
        by = graph.counting(fate, state) if start >> SHIFT in state else ()
        if by:
            behind.setdefault(above, []).append(Stretch(Span(start, size), None, by))
        elif start >> SHIFT in state:
            above = start + size - 1
    yield from behind.get(EDGE, ())
    for span, mark, _ in placed:
        for part in _cut(span, behind):
            yield Stretch(part, mark)
            yield from behind.pop(part.start + part.size - 1, ())


def _cut(span: Span, behind: Mapping[int, object]) -> Iterator[Span]:
    """Yield a span in pieces that end where deleted lines stand behind them."""
    start, end = span.start, span.start + span.size
    for line in range(start, end - 1):
        if line in behind:
            yield Span(start, line + 1 - start)
            start = line + 1
    yield Span(start, end - start)


def _origins(repository: Repository, changes: list[int]) -> dict[int, Origin]:
    return {
        change: Origin(name, header)
        for change, name, header in headers_of(repository.store, changes)
    }
