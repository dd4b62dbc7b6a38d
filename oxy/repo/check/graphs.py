"""Every line that an edit of a text names is there (spec: graph; store, ST26)."""

from collections.abc import Iterator

from oxy.errors import CorruptionError
from oxy.graph.admission import Needs, RefusedEditError, admit
from oxy.graph.straight import straighten
from oxy.graph.text import TextGraph
from oxy.graph.weave import SHIFT, NoLineError
from oxy.model.operation import KIND_TEXT
from oxy.progress import Progress
from oxy.repo.check.finding import CACHE, Finding
from oxy.repo.check.finding import CHANGE as AREA
from oxy.repo.check.references import path_at
from oxy.repo.indexing import NODES
from oxy.repo.repository import Repository
from oxy.repo.tables import COUNT, number
from oxy.store.protocol import CHANGE


def check_graphs(repository: Repository, progress: Progress) -> Iterator[Finding]:
    """Replay every text from its first change on; yield what does not fit.

    Cost: every edit of every text; memory for one graph.
    """
    row = repository.store.row(COUNT, NODES)
    total = number(row) if row else 0
    for node in range(1, total + 1):
        progress.update(node, total, "files")
        try:
            is_text = repository.nodes.kind(node) == KIND_TEXT
        except CorruptionError as error:
            yield Finding(AREA, f"a file cannot be read: {error}")
            continue
        if is_text:
            yield from _replay(repository, node)


def _replay(repository: Repository, node: int) -> Iterator[Finding]:
    graph, needs = TextGraph(), Needs()
    newest, kept = repository.kept.get(node) or (0, graph)
    for change, _ in repository.nodes.touching(node):
        name = repository.store.id_of(CHANGE, change)
        try:
            edit = repository.nodes.edit(node, change)
            deed = None if edit is None else repository.nodes.deed(graph, change, edit)
            if deed is not None:
                known = needs.of(node, graph, deed)
                admit(graph, change, deed, known)
                graph.apply(change, deed)
                needs.note(node, change, known)
                straighten(graph)
        except CorruptionError as error:
            what = f"change {name.hex()} {_told(repository, error)}"
            yield Finding(AREA, what, name, path_at(repository, node, change))
            return
        if change == newest and _essence(kept) != _essence(graph):
            what = f"the kept graph of a file as of change {name.hex()} is wrong"
            yield Finding(CACHE, what, name, path_at(repository, node, change))


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
