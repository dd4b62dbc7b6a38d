"""From objects to the rows that follow from them (spec: store, rows).

The one place where rows are derived: recording, receiving, recovering and rebuilding all pass
through here, so the database can always be made again from the segments.
"""

import msgpack

from oxy.codec.encode import node_sizes
from oxy.errors import CorruptionError
from oxy.model.change import Change
from oxy.model.digest import node_id
from oxy.model.operation import DIRECTORY, PLACE, SELF, Directory, NodeRef, Place, Write
from oxy.repo.states import Link, Name, States
from oxy.repo.tables import (
    CHANGED,
    COUNT,
    NODE,
    NODE_ID,
    TOUCH,
    WRITE,
    key,
    number,
    numbers,
    pair,
)
from oxy.store.protocol import CHANGE, IndexWriter

NODES = b"nodes"


class MissingError(CorruptionError):
    """A change names another, or a node, that is not stored."""

    def __init__(self, change: bytes, what: str, missing: bytes) -> None:
        super().__init__(f"change {change.hex()} names {what} {missing.hex()}: it is missing")
        self.change = change
        self.missing = missing


def directory_paths(directories: tuple[Directory, ...]) -> list[bytes]:
    """Return the path of each directory of a change; the first is the root's, empty."""
    paths = [b""]
    for directory in directories:
        parent = paths[directory.parent]
        paths.append(parent + b"/" + directory.name if parent else directory.name)
    return paths


class Indexer:
    """Writes the rows of changes in one transaction, remembering what it looked up."""

    __slots__ = ("_changes", "_nodes", "_states", "_total", "_writer")

    def __init__(self, writer: IndexWriter, states: States) -> None:
        self._writer = writer
        self._states = states
        self._changes: dict[bytes, int] = {}
        self._nodes: dict[bytes, int] = {}
        row = writer.row(COUNT, NODES)
        self._total = number(row) if row else 0

    def index(self, change: Change, at: int, payload_size: int) -> tuple[int, ...]:
        """Write every row that follows from a change; return its nodes, in order of edits.

        Args:
            change: the change.
            at: its number.
            payload_size: the length of its payload in bytes.

        Cost: a few rows for the change and for each node that it touches.

        Raises:
            MissingError: it names a change or a node that is not stored.
        """
        header, weak = change.header, change.operations.weak
        deps = tuple(self._number(change, name) for name in header.deps)
        heads = tuple(sorted(self._number(change, name) for name in header.context.heads))
        absent = filter(None, map(self._find, header.context.absent))
        self._states.record(self._writer, at, Link(Name(heads, tuple(sorted(absent))), deps))
        refs = (at, *deps, *(self._find(name) or 0 for name in weak))
        nodes = self._index_nodes(change, refs, payload_size)
        self._writer.put(CHANGED, key(at), numbers(nodes))
        self._changes[change.id] = at
        return nodes

    def _find(self, name: bytes) -> int | None:
        found = self._changes.get(name)
        if found is None:
            found = self._writer.number_of(CHANGE, name)
            if found is not None:
                self._changes[name] = found
        return found

    def _number(self, change: Change, name: bytes) -> int:
        found = self._find(name)
        if found is None:
            raise MissingError(change.id, "change", name)
        return found

    def _index_nodes(
        self, change: Change, refs: tuple[int, ...], payload_size: int
    ) -> tuple[int, ...]:
        operations, put = change.operations, self._writer.put
        paths = directory_paths(operations.directories)
        sizes = node_sizes(operations)
        offset = payload_size - sum(sizes)
        nodes: list[int] = []
        for edit, size in zip(operations.nodes, sizes, strict=True):
            if edit.node.change != DIRECTORY:
                node = self._node(change, edit.node, refs[0])
                nodes.append(node)
                put(TOUCH, pair(node, refs[0]), pair(offset, size))
                if edit.writes:
                    put(WRITE, pair(node, refs[0]), _pack_writes(edit.writes, refs, paths))
            offset += size
        return tuple(nodes)

    def _node(self, change: Change, ref: NodeRef, at: int) -> int:
        creator = change.id if ref.change == SELF else change.header.deps[ref.change - 1]
        identity = node_id(creator, ref.position)
        node = self._nodes.get(identity)
        if node is not None:
            return node
        if ref.change == SELF:
            self._total = node = self._total + 1
            self._writer.put(COUNT, NODES, key(node))
            self._writer.put(NODE, key(node), identity + pair(at, ref.position))
            self._writer.put(NODE_ID, identity, key(node))
        else:
            row = self._writer.row(NODE_ID, identity)
            if row is None:
                raise MissingError(change.id, "node", identity)
            node = number(row)
        self._nodes[identity] = node
        return node


def _pack_writes(writes: tuple[Write, ...], refs: tuple[int, ...], paths: list[bytes]) -> bytes:
    rows = []
    for register, value, replaces in writes:
        held: object = value
        if register == PLACE and isinstance(value, Place):
            parent = paths[value.parent]
            held = parent + b"/" + value.name if parent else value.name
        rows.append((register, held, [refs[ref] for ref in replaces]))
    packed: bytes = msgpack.packb(rows)
    return packed
