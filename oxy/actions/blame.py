"""Which change each line of a file came from (spec: command-line, graph).

Every line knows the change that introduced it, so nothing is searched for.
"""

import os
from collections.abc import Iterator
from typing import NamedTuple

from oxy.actions.tree import file_at
from oxy.errors import RequestError
from oxy.graph.reading import Reading
from oxy.graph.text import Span
from oxy.graph.weave import SHIFT
from oxy.model.change import Header
from oxy.model.operation import KIND_TEXT
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE


class NotTextError(RequestError):
    """Lines are asked for of what has none."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is not a text: it has no lines")
        self.path = path


class Origin(NamedTuple):
    """The change that a line came from."""

    id: bytes
    header: Header


class Line(NamedTuple):
    """A line of a file: its number from 1, its text without LF, and where it came from."""

    number: int
    text: bytes
    origin: Origin


def blame(repository: Repository, state: Name, path: bytes) -> list[Line]:
    """Return the lines of a text; the sides of a conflict stand one after the other.

    Cost: the runs and lines of the file, and one header for each change.

    Raises:
        NoPathError: there is no file.
        IsDirectoryError: a directory is there.
        NotTextError: it has no lines.
    """
    entry = file_at(repository, state, path)
    if entry.kind != KIND_TEXT:
        raise NotTextError(path)
    reading = repository.nodes.reading(entry.node, repository.states.members(state))
    spans = list(all_spans(reading))
    texts = repository.nodes.text(entry.node, spans).split(b"\n")
    origins = _origins(repository, sorted({span.start >> SHIFT for span in spans}))
    changes = (origins[span.start >> SHIFT] for span in spans for _ in range(span.size))
    return [
        Line(number, text, origin)
        for number, (text, origin) in enumerate(zip(texts, changes, strict=False), 1)
    ]


def all_spans(reading: Reading) -> Iterator[Span]:
    """Yield the spans of a reading with the sides of conflicts in their places."""
    done = 0
    spans = list(reading.spans())
    for conflict in reading.conflicts:
        yield from spans[done : conflict.position]
        done = conflict.position
        for side in conflict.sides:
            yield from side.spans
    yield from spans[done:]


def _origins(repository: Repository, changes: list[int]) -> dict[int, Origin]:
    ids = repository.store.ids_of(CHANGE, changes)
    read = repository.headers(changes)
    return {
        change: Origin(name, header) for name, (change, header) in zip(ids, read, strict=True)
    }
