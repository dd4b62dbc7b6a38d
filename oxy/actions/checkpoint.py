"""The checkpoint of a state: its tree, and the graphs of texts (spec: checkpoints, CP5)."""

from oxy.model.operation import KIND_TEXT
from oxy.progress import Progress
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.trees import keep, tree_of
from oxy.store.protocol import CHANGE

_BATCH = 256
"""Graphs that are looked at before those that are to be kept are written."""


def checkpoint(repository: Repository, state: Name, progress: Progress) -> int:
    """Keep the tree of a state in the cache, and the graphs of texts that lack some changes.

    Returns:
        How many graphs were kept.

    Cost: what changed since the last checkpoint.
    """
    keep(repository, state, tree_of(repository, state))
    newest = repository.store.count(CHANGE)
    nodes = repository.kept.wanting(newest)
    graphs = 0
    for done, node in enumerate(nodes, 1):
        progress.update(done, len(nodes), "files")
        if repository.nodes.kind(node) == KIND_TEXT:
            graphs += repository.nodes.keep(node)
        if done % _BATCH == 0:
            repository.kept.write()
    repository.kept.write()
    repository.kept.note_looked(newest)
    return graphs
