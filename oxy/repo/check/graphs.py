"""Every line that an edit of a text names is there (spec: graph; store, ST26)."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from oxy.typed import Final, TypeAlias

from pyroaring import BitMap

from oxy.errors import CorruptionError
from oxy.graph.admission import Needs, RefusedEditError, admit
from oxy.graph.render import is_sole
from oxy.graph.straight import straighten
from oxy.graph.text import TextGraph
from oxy.graph.weave import SHIFT, NoLineError
from oxy.model.operation import KIND_TEXT
from oxy.progress import Progress
from oxy.repo.cache import GRAPH
from oxy.repo.check.finding import CACHE, Finding
from oxy.repo.check.finding import CHANGE as AREA
from oxy.repo.check.references import path_at
from oxy.repo.indexing import NODES
from oxy.repo.repository import Repository
from oxy.repo.tables import COUNT, NODE, TOUCH, key, number, unpair
from oxy.store.protocol import CHANGE

Touching: TypeAlias = list[tuple[int, bytes]]
"""The numbers of changes that touch one node, and the rows that tell where."""

_TOGETHER: Final = 1024
"""Edits that are read from one commit, which other processes wait for."""


def check_graphs(repository: Repository, progress: Progress) -> Iterator[Finding]:
    """Replay every text that was edited or kept, from its first change on; yield what is wrong.

    Cost: a row for each change of each node, and every edit of these texts; memory for one
    graph and the rows of some nodes. Writers may come in between.
    """
    row = repository.store.row(COUNT, NODES)
    total = number(row) if row else 0
    kept = BitMap(map(number, repository.cache.keys(GRAPH)))
    for some in _touched(repository):
        found: list[Finding] = []
        with repository.store.snapshot():
            edited = [item for item in some if len(item[1]) > 1 or item[0] in kept]
            kinds = _load(repository, edited)
            for node, touching in edited:
                progress.update(min(node, total), total, "files")
                if kinds.get(node, KIND_TEXT) == KIND_TEXT:
                    found += _checked(repository, node, touching, is_kept=node in kept)
        yield from found


def check_begun(repository: Repository, nodes: BitMap) -> Iterator[Finding]:
    """Replay texts that nothing else proves, of those that `check_graphs` has not replayed."""
    for node in nodes:
        touching = list(repository.nodes.touching(node))
        if len(touching) == 1 and repository.cache.get(GRAPH, key(node)) is None:
            yield from _checked(repository, node, touching, is_kept=False)


def _load(repository: Repository, some: list[tuple[int, Touching]]) -> dict[int, int]:
    """Read together what will be asked for one after the other; return the kinds of nodes."""
    touching = {change for _, rows in some for change, _ in rows}
    with suppress(CorruptionError):  # Whoever asks for the damaged one is told.
        repository.nodes.payloads.load(touching)
    repository.states.learn(touching)
    rows = repository.store.rows_many(NODE, (key(node) for node, _ in some))
    return {number(row_key): number(row) for row_key, row in rows.items()}


def _touched(repository: Repository) -> Iterator[list[tuple[int, Touching]]]:
    """Yield nodes with the rows of the changes that touch them, some at a time."""
    some: list[tuple[int, Touching]] = []
    rows = repository.store.rows(TOUCH)
    size = 0
    for node, group in groupby(rows, key=lambda row: unpair(row[0])[0]):
        touching = [(number(row_key), row) for row_key, row in group]
        some.append((node, touching))
        size += len(touching)
        if size >= _TOGETHER:
            yield some
            some, size = [], 0
    yield some


def _checked(
    repository: Repository, node: int, touching: Touching, *, is_kept: bool
) -> Iterator[Finding]:
    try:
        is_text = repository.nodes.kind(node) == KIND_TEXT
    except CorruptionError as error:
        yield Finding(AREA, f"a file cannot be read: {error}")
        return
    if is_text:
        yield from _replay(repository, node, touching, is_kept=is_kept)


def _replay(
    repository: Repository, node: int, touching: Touching, *, is_kept: bool
) -> Iterator[Finding]:
    graph, needs = TextGraph(), Needs()
    newest, kept, texts = (repository.kept.get(node) if is_kept else None) or (0, graph, {})
    for change, row in touching:
        try:
            edit = repository.nodes.edit_at(change, row)
            deed = repository.nodes.deed(graph, change, edit)
            if deed is not None:
                known = needs.of(node, graph, deed)
                admit(graph, change, deed, known)
                graph.apply(change, deed)
                needs.note(node, change, known)
                straighten(graph)
        except CorruptionError as error:
            name = repository.store.id_of(CHANGE, change)
            what = f"change {name.hex()} {_told(repository, error)}"
            yield Finding(AREA, what, name, path_at(repository, node, change))
            return
        is_fit = change not in texts or texts.pop(change) == edit.content
        if not is_fit or (change == newest and (texts or not _is_same(kept, graph))):
            name = repository.store.id_of(CHANGE, change)
            what = f"the kept graph of a file as of change {name.hex()} is wrong"
            yield Finding(CACHE, what, name, path_at(repository, node, change))


def _is_same(kept: TextGraph, graph: TextGraph) -> bool:
    """Tell whether a kept graph is as one that was replayed, and says rightly what is clean."""
    return _essence(kept) == _essence(graph) and is_sole(graph, kept.grounds.largest())


def _essence(graph: TextGraph) -> tuple[object, ...]:
    """Return what two graphs that are the same have the same."""
    runs = [
        (start, size, graph.fates[fate])
        for chunk in graph.weave.chunks
        for start, size, fate in zip(chunk.starts, chunk.sizes, chunk.fates, strict=True)
    ]
    deeds = [graph.deeds[change] for change in graph.touched]
    return runs, deeds, graph.touched, sorted(graph.disputing)


def _told(repository: Repository, error: CorruptionError) -> str:
    """Return why a change does not fit, with ids in place of numbers."""
    lacking = error.__cause__ if isinstance(error, RefusedEditError) else error
    if not isinstance(lacking, NoLineError):
        what = error.rule if isinstance(error, RefusedEditError) else error
        return f"does not fit: {what}"
    number, index = lacking.line >> SHIFT, lacking.line & (1 << SHIFT) - 1
    if not 0 < number <= repository.store.count(CHANGE):
        return "names a line of no change"
    named = repository.store.id_of(CHANGE, number)
    return f"names line {index} of change {named.hex()}, which is not in the text"
