"""One change: its header and what it does to files (spec: command-line)."""

from collections.abc import Iterator, Sequence
from functools import partial
from oxy.typed import Final

from blake3 import blake3
from pyroaring import BitMap

from oxy.actions.log import Entry, Facts
from oxy.actions.patch import FileDiff, Side, Source, difference, git_mode, pinned, whole
from oxy.actions.paths import is_asked
from oxy.model.operation import KIND_BINARY, KIND_SUBREPO, BlobRef
from oxy.repo.directories import Ways
from oxy.repo.repository import Repository
from oxy.repo.standing import standing, ways_of
from oxy.repo.trees import affected
from oxy.store.protocol import CHANGE
from oxy.worktree.conflicted import content

_TOGETHER: Final = 512
"""Nodes whose rows are held at once."""


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
    Cost: the files that it touches, whose rows are read many at once; where directories show,
    in both states; two contents in memory at once.
    """
    states, held = repository.states, repository.nodes
    context = states.link(change).context
    old, new = states.members(context), states.of_change(change)
    touched = affected(repository, context, new)
    wanted = [node for node in touched if nodes is None or node in nodes]
    was, now = ways_of(held, old), ways_of(held, new)
    placed = []
    for node in _gathered(repository, wanted):
        registers = held.registers(node)
        before = standing(held, node, old, registers, was).seen.path
        after = standing(held, node, new, registers, now).seen.path
        if any(is_asked(path, only) for path in (before, after) if path is not None):
            placed.append((after or before or b"", node))
    for node in _gathered(repository, [node for _, node in sorted(placed)]):
        diff = difference(side(repository, node, old, was), side(repository, node, new, now))
        if diff is not None:
            yield diff


def _gathered(repository: Repository, nodes: Sequence[int]) -> Iterator[int]:
    """Yield nodes in their order, with their rows at hand, some at once."""
    gathered = repository.nodes.gathered
    for at in range(0, len(nodes), _TOGETHER):
        some = nodes[at : at + _TOGETHER]
        gathered.load(some)
        yield from some
    gathered.forget()


def side(
    repository: Repository, node: int, state: BitMap, ways: Ways | None = None
) -> Side | None:
    """Return a node as a state has it, or None where it is at no path.

    `ways` are where directories show in it, if that is at hand.
    """
    seen, _ = standing(repository.nodes, node, state, ways=ways)
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
