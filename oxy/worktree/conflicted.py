"""What a state reads of a text, conflicts with their markers (spec: conflicts, C20; W19).

It depends on the changes of the state alone, so it is the same in every repository.
"""

from __future__ import annotations

from oxy.typed import TYPE_CHECKING

from oxy.model.operation import KIND_TEXT
from oxy.repo.alone import chunks, sole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyroaring import BitMap

    from oxy.graph.reading import Conflict, Reading
    from oxy.graph.text import Span
    from oxy.repo.registers import View
    from oxy.repo.repository import Repository
    from oxy.worktree.marked import Marked


def content(
    repository: Repository, node: int, state: BitMap, seen: View | None = None
) -> Iterator[bytes]:
    """Yield the bytes of a file as the working copy has it in a state, in pieces."""
    nodes = repository.nodes
    found = sole(nodes, node, state) if seen is None else None
    if found is not None:
        yield from chunks(nodes, found)
        return
    seen = seen or nodes.view(node, state)
    if seen.kind == KIND_TEXT:
        reading = nodes.reading(node, state)
        if reading.conflicts:
            text = marked(repository, node, state, reading, seen.final_lf).text()
            yield text if seen.final_lf else text[:-1]
            return
    yield from nodes.content(node, state, seen)


def marked_in(repository: Repository, node: int, state: BitMap) -> Marked:
    """Return the pieces of a text as a state reads it; see `marked`."""
    nodes = repository.nodes
    reading = nodes.reading(node, state)
    return marked(repository, node, state, reading, nodes.view(node, state).final_lf)


def marked(
    repository: Repository, node: int, state: BitMap, reading: Reading, final_lf: int
) -> Marked:
    """Return the pieces of a text.

    Args:
        repository: where it is.
        node: the text.
        state: the state that is read.
        reading: what it reads.
        final_lf: whether the file ends in LF.

    Cost: the text; of each conflict its sides, its base and the headers of its changes.
    """
    # Hardly a text is in conflict, and then nothing more is loaded.
    from oxy.graph.base import bases
    from oxy.worktree.marked import mark
    from oxy.worktree.markers import Side, Sided

    nodes, conflicts = repository.nodes, reading.conflicts
    plain = _plain(repository, node, reading)
    flats = [nodes.text(node, _flat(conflict)) for conflict in conflicts]
    if not conflicts:
        return mark(plain, (), (), final_lf)
    shared = bases(nodes.graph(node), state, reading, nodes.teller(node))
    called = _labels(repository, conflicts)
    sided = [
        Sided(
            [
                Side(called[change], nodes.text(node, spans), change)
                for change, spans in conflict.sides
            ],
            nodes.text(node, base),
        )
        for conflict, base in zip(conflicts, shared, strict=True)
    ]
    return mark(plain, flats, sided, final_lf)


def _plain(repository: Repository, node: int, reading: Reading) -> list[bytes]:
    from itertools import pairwise

    cuts = [0, *(conflict.position for conflict in reading.conflicts), len(reading.starts)]
    spans = list(reading.spans())
    return [repository.nodes.text(node, spans[a:b]) for a, b in pairwise(cuts)]


def _flat(conflict: Conflict) -> list[Span]:
    """Return the lines of a conflict as edits number them: what two sides have counts once."""
    from oxy.graph.draft import flat
    from oxy.graph.reading import Reading

    return flat(Reading([], [], (conflict._replace(position=0),)))


def _labels(repository: Repository, conflicts: tuple[Conflict, ...]) -> dict[int, bytes]:
    from oxy.repo.headers import headers_of
    from oxy.worktree.markers import label

    changes = sorted({side.change for conflict in conflicts for side in conflict.sides})
    return {
        change: label(name, header.author, header.message)
        for change, name, header in headers_of(repository.store, changes)
    }
