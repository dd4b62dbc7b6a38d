"""Which change each line of a file came from (spec: command-line, graph).

Every line knows the change that introduced it, so nothing is searched for. Looking past changes
follows what they say that they replaced.
"""

import os
from collections.abc import Iterable, Iterator
from oxy.typed import Final, NamedTuple

from oxy.actions.past import Past
from oxy.actions.tree import file_at
from oxy.errors import RequestError
from oxy.graph.deed import Span
from oxy.graph.reading import Reading
from oxy.graph.weave import SHIFT
from oxy.model.change import Header
from oxy.model.operation import KIND_TEXT
from oxy.repo.headers import headers_of
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
    """A line of a file: its number from 1, its text without LF, and where it came from."""

    number: int
    text: bytes
    origin: Origin
    mark: Mark | None = None


def blame(repository: Repository, state: Name, path: bytes, past: Past = NOTHING) -> list[Line]:
    """Return the lines of a text; the sides of a conflict stand one after the other, marked.

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
    nodes = repository.nodes
    stretches = list(_stretches(nodes.reading(entry.node, repository.states.members(state))))
    texts = nodes.text(entry.node, (span for span, _ in stretches)).split(b"\n")
    found: Iterable[tuple[int, Mark | None]]
    if past == NOTHING:
        found = ((start >> SHIFT, m) for (start, size), m in stretches for _ in range(size))
    else:
        from oxy.actions.succession import Succession

        eldest = Succession(nodes, entry.node, past).eldest
        found = (
            (eldest(line) >> SHIFT, mark)
            for (start, size), mark in stretches
            for line in range(start, start + size)
        )
    changes = list(found)
    origins = _origins(repository, sorted({change for change, _ in changes}))
    return [
        Line(number, text, origins[change], mark)
        for number, (text, (change, mark)) in enumerate(zip(texts, changes, strict=False), 1)
    ]


def _stretches(reading: Reading) -> Iterator[tuple[Span, Mark | None]]:
    """Yield the spans of a reading, each side of a conflict whole."""
    spans = list(reading.spans())
    done = 0
    for number, (position, sides) in enumerate(reading.conflicts, 1):
        yield from ((span, None) for span in spans[done:position])
        done = position
        for place, side in enumerate(sides, 1):
            mark = Mark(number, place, len(sides))
            yield from ((span, mark) for span in side.spans)
    yield from ((span, None) for span in spans[done:])


def _origins(repository: Repository, changes: list[int]) -> dict[int, Origin]:
    return {
        change: Origin(name, header)
        for change, name, header in headers_of(repository.store, changes)
    }
