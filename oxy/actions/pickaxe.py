"""Changes by the text that they add or remove (spec: states, S62).

What a change did to a text is written in it: the lines that it inserted, deleted and brought
back. So nothing is compared, but where a file appears, goes or becomes another kind.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from oxy.typed import Final, TypeAlias

from pyroaring import BitMap

from oxy.actions.patch import Side
from oxy.actions.show import side
from oxy.diff.lines import edits
from oxy.graph.deed import Span
from oxy.graph.weave import SHIFT
from oxy.model.operation import (
    BYTES,
    KIND,
    PIN,
    PLACE,
    TARGET,
    BlobRef,
    NodeEdit,
    TextEdit,
)
from oxy.repo.nodes import Nodes
from oxy.repo.repository import Repository
from oxy.repo.standing import standing
from oxy.repo.tables import CHANGED, TOUCH, key, pair, unpack_numbers

Test: TypeAlias = Callable[[bytes, bytes], bool]
"""Tells from what goes and what comes whether a change is meant."""


_CONTENT: Final = (BYTES, TARGET, PIN)

_TOGETHER: Final = 256


class Pickaxe:
    """Looks for the nodes in which a change adds or removes something.

    Args:
        repository: where the changes are.
        test: tells by the lines that go and those that come.
        whole: whether what is looked for may be longer than a line, so that whole files have
            to be compared.
    """

    __slots__ = ("_repository", "_test", "_whole")

    def __init__(self, repository: Repository, test: Test, *, whole: bool = False) -> None:
        self._repository = repository
        self._test = test
        self._whole = whole

    def nodes(self, changes: Sequence[int], only: BitMap | None) -> Iterator[BitMap]:
        """Yield for each of some changes its nodes that pass the test, or some of them.

        Cost: what the changes did to their nodes; they are read together.
        """
        nodes = self._repository.nodes
        rows = self._repository.store.rows_many(CHANGED, map(key, changes))
        nodes.payloads.load(changes)
        for change in changes:
            touched = BitMap(unpack_numbers(rows.get(key(change), b"")))
            if only is not None:
                touched &= only
            yield BitMap(
                node
                for node, edit in self._edits(change, touched)
                if self._test(*self._sides(node, change, edit))
            )

    def _edits(self, change: int, touched: Iterable[int]) -> Iterator[tuple[int, NodeEdit]]:
        """Yield (node, what a change does to it). Cost: a query for many nodes."""
        rest = iter(touched)
        while some := list(islice(rest, _TOGETHER)):
            keys = [pair(node, change) for node in some]
            rows = self._repository.store.rows_many(TOUCH, keys)
            for node, row_key in zip(some, keys, strict=True):
                if row_key in rows:
                    yield node, self._repository.nodes.edit_at(change, rows[row_key])

    def _sides(self, node: int, change: int, edit: NodeEdit) -> tuple[bytes, bytes]:
        """Return what goes from a file, and what comes into it."""
        nodes = self._repository.nodes
        written = {write.register for write in edit.writes}
        if KIND in written or (self._whole and edit.text is not None):
            return self._compared(node, change)
        if PLACE in written and edit.created is None and not self._stays(node, change):
            return self._compared(node, change)
        if edit.text is None:
            is_other = not written.isdisjoint(_CONTENT)
            return self._compared(node, change) if is_other else (b"", b"")
        held = edit.content
        inserted = nodes.blob(held) if isinstance(held, BlobRef) else held or b""
        if not edit.text.hunks and not edit.text.restores:
            return b"", inserted
        gone, back = _spans(nodes, change, edit.text)
        return nodes.text(node, gone), inserted + nodes.text(node, back)

    def _stays(self, node: int, change: int) -> bool:
        """Tell whether a file is somewhere both before and after a change."""
        states, nodes = self._repository.states, self._repository.nodes
        old, new = states.members(states.link(change).context), states.of_change(change)
        return all(standing(nodes, node, state).seen.path is not None for state in (old, new))

    def _compared(self, node: int, change: int) -> tuple[bytes, bytes]:
        """Return what differs in the file before and after a change."""
        states = self._repository.states
        old = side(self._repository, node, states.members(states.link(change).context))
        new = side(self._repository, node, states.of_change(change))
        before, after = _content(old), _content(new)
        if self._whole or any(one.binary for one in (old, new) if one):
            return before, after
        found = edits(before, after)
        gone = ((edit.old_start, edit.old_count) for edit in found)
        came = ((edit.new_start, edit.new_count) for edit in found)
        return _lines(before, gone), _lines(after, came)


def _content(one: Side | None) -> bytes:
    if one is None:
        return b""
    return b"".join(one.source.chunks()) if one.source else one.data


def _lines(text: bytes, ranges: Iterable[tuple[int, int]]) -> bytes:
    lines = text.split(b"\n")
    return b"".join(
        line + b"\n" for start, count in ranges for line in lines[start : start + count]
    )


def _spans(nodes: Nodes, change: int, edit: TextEdit) -> tuple[list[Span], list[Span]]:
    """Return the lines that an edit deletes, and those that it brings back."""
    numbers = (change, *nodes.states.link(change).deps)
    deleted = (lines for hunk in edit.hunks for lines in hunk.lines)
    restored = (one.lines for one in edit.restores if one.lines.change < len(numbers))
    gone, back = (
        [Span(numbers[ref] << SHIFT | start, size) for ref, start, size in some]
        for some in (deleted, restored)
    )
    return gone, back
