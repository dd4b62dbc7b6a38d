"""Every line that an edit of a text names is there (spec: graph; store, ST26)."""

from collections.abc import Iterator

from oxy.errors import CorruptionError
from oxy.graph.text import TextGraph
from oxy.graph.weave import SHIFT, NoLineError
from oxy.model.operation import KIND_TEXT
from oxy.progress import Progress
from oxy.repo.check.finding import CHANGE as AREA
from oxy.repo.check.finding import Finding
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
    graph = TextGraph()
    for change, _ in repository.nodes.touching(node):
        try:
            edit = repository.nodes.edit(node, change)
            if edit is not None:
                repository.nodes.apply(graph, change, edit)
        except CorruptionError as error:
            name = repository.store.id_of(CHANGE, change)
            what = f"change {name.hex()} {_told(repository, error)}"
            yield Finding(AREA, what, name, path_at(repository, node, change))
            return


def _told(repository: Repository, error: CorruptionError) -> str:
    """Return why a change does not fit, with ids in place of numbers."""
    if not isinstance(error, NoLineError):
        return f"does not fit: {error}"
    number, index = error.line >> SHIFT, error.line & (1 << SHIFT) - 1
    if not 0 < number <= repository.store.count(CHANGE):
        return "names a line of no change"
    named = repository.store.id_of(CHANGE, number)
    return f"names line {index} of change {named.hex()}, which is not in the text"
