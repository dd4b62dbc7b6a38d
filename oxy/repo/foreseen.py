"""Which blobs files are made of, found before they are read (spec: sync, SY89).

So a lazy repository asks for those of many files at once.
"""

from collections.abc import Iterator, Sequence

from pyroaring import BitMap

from oxy.graph.reading import Reading
from oxy.graph.weave import SHIFT
from oxy.model.operation import KIND_TEXT, BlobRef
from oxy.repo.alone import soles
from oxy.repo.nodes import Nodes


def foreseen(nodes: Nodes, wanted: Sequence[int], state: BitMap) -> Iterator[BlobRef]:
    """Yield the blobs that some files of a state need, stored or not.

    Cost: as reading the files, without their bytes.
    """
    alone = soles(nodes, wanted, state)
    for node in wanted:
        found = alone.get(node)
        if found is None:
            yield from _of(nodes, node, state)
        elif isinstance(found.content, BlobRef):
            yield found.content


def _of(nodes: Nodes, node: int, state: BitMap) -> Iterator[BlobRef]:
    seen = nodes.view(node, state)
    if seen.kind != KIND_TEXT:
        if isinstance(seen.content, BlobRef):
            yield seen.content
        return
    for change in sorted(_changes(nodes.reading(node, state))):
        edit = nodes.edit(node, change)
        if edit is not None and isinstance(edit.content, BlobRef):
            yield edit.content


def _changes(reading: Reading) -> set[int]:
    """Return the changes whose lines a text shows, those of its conflicts with them."""
    sides = (side for conflict in reading.conflicts for side in conflict.sides)
    shown = (start for side in sides for start, _ in side.spans)
    return {start >> SHIFT for start in (*reading.starts, *shown)}
