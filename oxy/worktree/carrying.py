"""A local edit of one file on top of another state (spec: working-copy, W24).

The edit is a draft change on the state that the file was made from. Its text is recorded in the
graph of its node under a number that no stored change has, read in the other state, and taken
out again; nothing is stored.
"""

from oxy.typed import NamedTuple

from blake3 import blake3

from oxy.model.operation import KIND_SYMLINK, KIND_TEXT
from oxy.phase import phase
from oxy.repo.repository import Repository
from oxy.repo.textual import kind_of
from oxy.store.protocol import CHANGE
from oxy.worktree.content import Content
from oxy.worktree.item import Item
from oxy.worktree.loading import Loaded


class Carried(NamedTuple):
    """What a file is to be with its edit.

    Its bytes are those that the state has of `item`, if that is given; else `data`, which is
    None for a file that is too large to be held and stays as it is.
    """

    kind: int
    mode: int
    digest: bytes
    data: bytes | None
    item: Item | None = None


class Carrier:
    """Takes edits from one state to another."""

    __slots__ = ("_nodes", "_number", "_source", "_target")

    def __init__(self, repository: Repository, source: Content, target: Content) -> None:
        self._nodes = repository.nodes
        self._number = repository.store.count(CHANGE) + 1
        self._source = source
        self._target = target

    def has_same_content(self, base: Item, goal: Item) -> bool:
        """Tell whether both states hold the same kind of file with the same bytes."""
        return base.kind == goal.kind and self._old(base) == self._target.digest(goal)

    def carried(self, base: Item, local: Loaded, goal: Item) -> Carried | None:
        """Return an edited file as it is in the other state, or None where it cannot be.

        An edit goes along if what it refers to is there, if no conflict comes of it, and if it
        still is the same edit when it comes back.

        Args:
            base: what the state holds that the file was made from.
            local: the file.
            goal: what the other state holds of the same node.

        Cost: the digests of both, where they are not known; for a text that both edited, two
        readings of its graph.
        """
        mode = _merged(base.mode, local.mode, goal.mode)
        if mode is None:
            return None
        if (local.kind, local.digest) == (base.kind, self._old(base)):
            # Only the mode was edited, and a symlink has none.
            if KIND_SYMLINK == goal.kind != base.kind:
                return None
            return Carried(goal.kind, mode, self._target.digest(goal), None, goal)
        if self.has_same_content(base, goal):
            mode = 0 if local.kind == KIND_SYMLINK else mode
            return Carried(local.kind, mode, local.digest, local.data)
        if {base.kind, local.kind, goal.kind} != {KIND_TEXT}:
            return None
        with phase("graphs"):
            data = self._text(base.node, local.data or b"")
        digest = blake3(data or b"").digest()
        # What the old state has would be no edit of it any more.
        is_edit = data is not None and digest != self._old(base)
        return Carried(KIND_TEXT, mode, digest, data) if is_edit else None

    def _old(self, base: Item) -> bytes:
        return self._source.digest(base)

    def _text(self, node: int, data: bytes) -> bytes | None:
        old, new = self._source.state, self._target.state
        from oxy.worktree.drafted import DraftedText

        text = DraftedText(self._nodes, node, self._number)
        there = text.carried(data, old, new)
        if there is None or kind_of(there, len(there)) != KIND_TEXT:
            return None
        # Where one line is like another, what reads well may be another edit than it was.
        back = text.carried(there, new, old)
        return there if back in (None, data) else None


def _merged(base: int, local: int, goal: int) -> int | None:
    """Return the mode where at most one side changed it."""
    if local == base:
        return goal
    return local if goal == base else None
