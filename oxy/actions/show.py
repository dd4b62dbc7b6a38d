"""One change: its header and what it does to files (spec: command-line)."""

from collections.abc import Iterator, Sequence
from functools import partial

from blake3 import blake3
from pyroaring import BitMap

from oxy.actions.log import Entry, Facts
from oxy.actions.patch import FileDiff, Side, Source, difference, git_mode, pinned, whole
from oxy.actions.paths import is_asked
from oxy.model.operation import KIND_BINARY, KIND_SUBREPO, BlobRef
from oxy.repo.repository import Repository
from oxy.repo.standing import standing
from oxy.repo.trees import affected
from oxy.store.protocol import CHANGE
from oxy.worktree.conflicted import content


def entry_of(repository: Repository, change: int) -> Entry:
    """Return one change as the log has it."""
    header = repository.header(change)
    parents = repository.states.link(change).context.heads
    name = repository.store.id_of(CHANGE, change)
    return Facts(repository).entry(change, name, header, parents)


def show(
    repository: Repository,
    change: int,
    only: Sequence[bytes] = (),
    nodes: BitMap | None = None,
) -> Iterator[FileDiff]:
    """Yield what a change did to files, in order of their paths.

    All files, or those at some paths, or some nodes.

    Each is compared in the state that the change was recorded in, and in that with it.
    Cost: the files that it touches; two contents in memory at once.
    """
    states = repository.states
    context = states.link(change).context
    old, new = states.members(context), states.of_change(change)
    placed = []
    for node in affected(repository, context, new):
        if nodes is not None and node not in nodes:
            continue
        before = standing(repository.nodes, node, old).seen.path
        after = standing(repository.nodes, node, new).seen.path
        if any(is_asked(path, only) for path in (before, after) if path is not None):
            placed.append((after or before or b"", node))
    for _, node in sorted(placed):
        diff = difference(side(repository, node, old), side(repository, node, new))
        if diff is not None:
            yield diff


def side(repository: Repository, node: int, state: BitMap) -> Side | None:
    """Return a node as a state has it, or None where it is at no path."""
    seen, _ = standing(repository.nodes, node, state)
    if seen.path is None:
        return None
    mode, held = git_mode(seen.kind, seen.mode), seen.content
    if seen.kind == KIND_BINARY and isinstance(held, BlobRef):
        source = Source(held.length, partial(content, repository, node, state, seen))
        return Side(seen.path, mode, held.id, binary=True, source=source)
    data = b"".join(content(repository, node, state, seen))
    if seen.kind == KIND_BINARY:
        return Side(seen.path, mode, blake3(data).digest(), binary=True, source=whole(data))
    return Side(
        seen.path, mode, pinned(data) if seen.kind == KIND_SUBREPO else data, binary=False
    )
