"""The checkpoint of a state: its tree and the graphs of its texts (spec: checkpoints, CP5)."""

from oxy.typed import NamedTuple

from oxy.model.operation import KIND_TEXT
from oxy.progress import Progress
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import keep, tree_of

_BATCH = 256
"""Graphs that are written together."""


class Checkpoint(NamedTuple):
    """What a checkpoint holds: files of the tree, and graphs that had to be kept anew."""

    files: int
    graphs: int


def checkpoint(repository: Repository, state: Name, progress: Progress) -> Checkpoint:
    """Keep the tree of a state in the cache, and the graphs of its texts.

    Cost: the tree, and the changes of each text since its graph was kept.
    """
    root = tree_of(repository, state)
    keep(repository, state, root)
    entries = [entry for _, entry in files(root)]
    graphs = 0
    for done, entry in enumerate(entries):
        progress.update(done, len(entries), "files")
        if entry.kind == KIND_TEXT:
            graphs += repository.nodes.keep(entry.node)
        if done % _BATCH == 0:
            repository.kept.write()
    repository.kept.write()
    return Checkpoint(len(entries), graphs)
