"""From objects to the rows that follow from them (spec: store, ST3).

The one place where rows are derived: recording, receiving, recovering and rebuilding all pass
through here, so the database can always be made again from the segments.
"""

from collections.abc import Iterable, Sequence
from oxy.typed import Final

import msgpack

from oxy.errors import CorruptionError
from oxy.model.change import Change, Header
from oxy.model.digest import ChangeId, NodeId, node_id
from oxy.model.operation import (
    DIRECTORY,
    PLACE,
    SELF,
    Directory,
    NodeEdit,
    NodeRef,
    Place,
    Write,
    names_weakly,
)
from oxy.repo.arrival import note_arrival
from oxy.repo.directories import component, under
from oxy.repo.headers import header_row
from oxy.repo.origin import PARTIAL as PARTIAL_FIELD
from oxy.repo.origin import git_commit
from oxy.repo.replaced import keys_of
from oxy.repo.states import Link, Name, States
from oxy.repo.tables import (
    AWAITED,
    CHANGED,
    COUNT,
    GIT,
    HEADER,
    LATE,
    LEFT,
    NODE,
    NODE_ID,
    PARTIAL,
    REPLACED,
    TOUCH,
    WRITE,
    key,
    number,
    numbers,
    pair,
    unpack_numbers,
)
from oxy.repo.tables import DIRECTORY as MOVED
from oxy.store.protocol import CHANGE, IndexWriter

NODES = b"nodes"

REMEMBERED: Final = 16_384
"""Nodes that one transaction created whose numbers it remembers: about 4 MB."""


class MissingError(CorruptionError):
    """A change names another, or a node, that is not stored."""

    def __init__(self, change: bytes, what: str, missing: bytes) -> None:
        super().__init__(f"change {change.hex()} names {what} {missing.hex()}: it is missing")
        self.change = change
        self.missing = missing


def directory_paths(directories: tuple[Directory, ...]) -> list[bytes]:
    """Return the identity path of each directory of a change; the root's is first, empty."""
    paths = [b""]
    for parent, name, k in directories:
        paths.append(under(paths[parent], component(name, k)))
    return paths


class Indexer:
    """Writes the rows of changes in one transaction, remembering what it looked up."""

    __slots__ = (
        "_ids",
        "_is_awaiting",
        "_late",
        "_nodes",
        "_numbers",
        "_states",
        "_total",
        "_writer",
    )

    def __init__(self, writer: IndexWriter, states: States) -> None:
        self._writer = writer
        self._states = states
        self._ids: dict[int, ChangeId] = {}
        self._numbers: dict[bytes, int] = {}
        self._nodes: dict[bytes, int] = {}
        row = writer.row(COUNT, NODES)
        self._total = number(row) if row else 0
        self._is_awaiting = next(iter(writer.rows(AWAITED)), None) is not None
        self._late: set[int] = set()

    def index(
        self, change: Change, at: int, payload: bytes, sizes: Sequence[int]
    ) -> tuple[int, ...]:
        """Write every row that follows from a change; return its nodes, in order of edits.

        Args:
            change: the change.
            at: its number.
            payload: its bytes.
            sizes: the encoded size of each node's edit.

        Cost: a few rows for the change and for each node that it touches.

        Raises:
            MissingError: it names a change or a node that is not stored; no row is written.
            NoStateError: it names a change that is stored and not indexed; likewise.
        """
        header = change.header
        deps = tuple(self._number(change, name) for name in header.deps)
        heads = tuple(sorted(self._number(change, name) for name in header.context.heads))
        absent = tuple(sorted(self._number(change, name) for name in header.context.absent))
        known = self._known_nodes(change)
        self._states.record(self._writer, at, Link(Name(heads, absent), deps))
        self._remember(at, change.id)
        nodes = self._index_nodes(change, (at, *deps), known, len(payload), sizes)
        held = header_row(payload)
        if held is not None:
            self._writer.put(HEADER, key(at), held)
        self._writer.put(CHANGED, key(at), numbers(nodes))
        self._await(change, at, nodes)
        note_arrival(self._writer, at)
        commit = git_commit(header)
        if commit is not None:
            self._note_commit(at, commit, header)
        for row_key in keys_of(header, key(at)):
            self._writer.put(REPLACED, row_key, b"")
        return nodes

    def _note_commit(self, at: int, commit: bytes, header: Header) -> None:
        """Note which commit a change came from; one that has all of it goes before others."""
        is_partial = PARTIAL_FIELD in dict(header.extra)
        if is_partial:
            self._writer.put(PARTIAL, key(at), b"")
        if not is_partial or self._writer.row(GIT, commit) is None:
            self._writer.put(GIT, commit, key(at))

    def ids_of(self, changes: Sequence[int]) -> list[ChangeId]:
        """Return the ids of changes. Cost: a query for those not seen in this transaction."""
        unseen = [change for change in changes if change not in self._ids]
        for change, name in zip(unseen, self._writer.ids_of(CHANGE, unseen), strict=True):
            self._remember(change, ChangeId(name))
        return [self._ids[change] for change in changes]

    def _remember(self, change: int, name: ChangeId) -> None:
        self._ids[change] = name
        self._numbers[name] = change

    def number_of(self, name: ChangeId) -> int | None:
        """Return the number of a change that is stored. Cost: a query, the first time."""
        found = self._numbers.get(name)
        if found is None:
            found = self._writer.number_of(CHANGE, name)
            if found is not None:
                self._remember(found, name)
        return found

    def _number(self, change: Change, name: ChangeId) -> int:
        found = self.number_of(name)
        if found is None:
            raise MissingError(change.id, "change", name)
        return found

    def pass_over(self, created: int) -> None:
        """Leave out nodes that a change created which is gone: their numbers stay taken."""
        self._total += created
        self._writer.put(COUNT, NODES, key(self._total))

    def rebound(self) -> set[int]:
        """Return the nodes in which changes came late since this was last asked.

        Their graphs were bound when a change that is named weakly in them was not there.
        """
        late, self._late = self._late, set()
        return late

    def _await(self, change: Change, at: int, nodes: tuple[int, ...]) -> None:
        """Note what a change names weakly and comes after it, and whether it so comes itself.

        Whether it does is seen from the numbers, so that the rows follow when made anew.
        """
        awaited = [
            name for name in change.operations.weak if (self.number_of(name) or at) >= at
        ]
        if awaited:
            edits = (edit for edit in change.operations.nodes if edit.node.change != DIRECTORY)
            concerned = numbers(
                [node for node, edit in zip(nodes, edits, strict=True) if names_weakly(edit)]
            )
            for name in awaited:
                self._writer.put(AWAITED, name + key(at), concerned)
            self._is_awaiting = True
        if self._is_awaiting:
            for _, row in self._writer.rows(AWAITED, change.id):
                for node in unpack_numbers(row):
                    self._writer.put(LATE, pair(node, at), b"")
                    self._late.add(node)

    def _known_nodes(self, change: Change) -> list[int]:
        """Return the numbers of the nodes that other changes created, in order of edits."""
        found: list[int] = []
        # From the end, so that those that are created, which come first, are not looked at.
        for edit in reversed(change.operations.nodes):
            if edit.node.change == SELF:
                break
            if edit.node.change != DIRECTORY:
                found.append(self._node(change, edit.node))
        return found[::-1]

    def _index_nodes(
        self,
        change: Change,
        refs: tuple[int, ...],
        known: Iterable[int],
        payload_size: int,
        sizes: Sequence[int],
    ) -> tuple[int, ...]:
        put, others = self._writer.put, iter(known)
        paths = directory_paths(change.operations.directories)
        at, offset = refs[0], payload_size - sum(sizes)
        nodes: list[int] = []
        for edit, size in zip(change.operations.nodes, sizes, strict=True):
            if edit.node.change == DIRECTORY:
                row_key = paths[edit.node.position] + b"\0" + key(at)
                put(MOVED, row_key, _pack_writes(edit.writes, refs, paths))
            else:
                is_new = edit.created is not None
                node = self._create(change.id, edit, at) if is_new else next(others)
                nodes.append(node)
                put(TOUCH, pair(node, at), pair(offset, size))
                if edit.writes:
                    put(WRITE, pair(node, at), _pack_writes(edit.writes, refs, paths))
                    self._note_left(node, edit.writes, refs)
            offset += size
        if change.operations.nodes and change.operations.nodes[0].created is not None:
            put(COUNT, NODES, key(self._total))
        return tuple(nodes)

    def _note_left(self, node: int, writes: tuple[Write, ...], refs: tuple[int, ...]) -> None:
        """Note the places that a node no longer has, so that it is found by them."""
        for register, _, replaces in writes:
            for replaced in replaces if register == PLACE else ():
                row = self._writer.row(WRITE, pair(node, refs[replaced]))
                for written, place, _ in msgpack.unpackb(row) if row else ():
                    if written == PLACE and isinstance(place, bytes):
                        self._writer.put(LEFT, place + b"\0" + key(node), b"")

    def _create(self, creator: ChangeId, edit: NodeEdit, at: int) -> int:
        identity = node_id(creator, edit.node.position)
        self._total = node = self._total + 1
        row = identity + pair(at, edit.node.position) + key(edit.created or 0)
        self._writer.put(NODE, key(node), row)
        self._writer.put(NODE_ID, identity, key(node))
        if len(self._nodes) < REMEMBERED:
            self._nodes[identity] = node
        return node

    def node_of(self, identity: NodeId) -> int | None:
        """Return the number of a node. Cost: a query, the first time."""
        node = self._nodes.get(identity)
        if node is None:
            row = self._writer.row(NODE_ID, identity)
            if row is not None:
                node = self._nodes[identity] = number(row)
        return node

    def _node(self, change: Change, ref: NodeRef) -> int:
        identity = node_id(change.header.deps[ref.change - 1], ref.position)
        node = self.node_of(identity)
        if node is None:
            raise MissingError(change.id, "node", identity)
        return node


def _pack_writes(writes: tuple[Write, ...], refs: tuple[int, ...], paths: list[bytes]) -> bytes:
    rows = []
    for register, value, replaces in writes:
        held: object = value
        if register == PLACE and isinstance(value, Place):
            parent = paths[value.parent]
            held = under(parent, value.name)
        rows.append((register, held, [refs[ref] for ref in replaces]))
    packed: bytes = msgpack.packb(rows)
    return packed
