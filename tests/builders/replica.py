"""A repository in memory that edits one file at a time and takes changes from others."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from random import Random
from typing import NamedTuple

from pyroaring import BitMap

from oxy.diff.lines import edits
from oxy.graph.draft import flat
from oxy.graph.record import record
from oxy.graph.text import EDGE, Block, Deed
from oxy.graph.weave import SHIFT
from oxy.model.change import Moment
from oxy.model.digest import ChangeId
from oxy.model.operation import (
    BYTES,
    FINAL_LF,
    KIND_BINARY,
    KIND_TEXT,
    PLACE,
)
from oxy.repo.recording import Intent, NodeDraft, Setting, content_of
from oxy.repo.registers import View
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import NODE
from oxy.repo.tree import EMPTY, Entry, files
from oxy.repo.trees import moved, tree_of
from oxy.repo.writing import Stamp, Writing, writing
from oxy.store.protocol import BLOB, CHANGE
from oxy.sync.endpoint import Holds, Stored
from oxy.sync.part import Part
from oxy.sync.receiving import receive
from oxy.worktree.conflicted import content
from tests.builders.exchange import Silent
from tests.builders.scribe import inserted_lines
from tests.graphs.sketch import ways_to_show

STAMP = Stamp(1, 0, b"ann", b"commit")


class Conflict(NamedTuple):
    """Where in a text a conflict stands, and its sides: the change and the text of each."""

    line: int
    sides: tuple[tuple[bytes, bytes], ...]


class Looks(NamedTuple):
    """All that a state says of a file, in terms that mean the same in every repository."""

    node: bytes
    kind: int
    mode: int
    data: bytes
    blame: tuple[bytes, ...]
    conflicts: tuple[Conflict, ...]
    disputed: tuple[tuple[int, frozenset[tuple[bytes, ...]]], ...]
    flags: int
    written: bytes


class Replica:
    """A repository and one state of it; `author` tells its changes from those of others."""

    __slots__ = ("_seen", "author", "repository", "state")

    def __init__(self, author: bytes) -> None:
        self.author = author
        self.repository = Repository.in_memory()
        self.state: frozenset[bytes] = frozenset()
        self._seen = BitMap(), EMPTY

    def bits(self, ids: Iterable[bytes]) -> BitMap:
        store = self.repository.store
        return BitMap([store.number_of(CHANGE, name) or 0 for name in ids])

    def ids(self, numbers: Iterable[int]) -> frozenset[bytes]:
        return frozenset(self.repository.store.ids_of(CHANGE, numbers))

    @property
    def name(self) -> Name:
        """The name of the state."""
        return self.repository.states.name_of(self.bits(self.state))

    def nodes(self) -> list[int]:
        """Return the nodes that have a place in the state, by id."""
        nodes, state = self.repository.nodes, self.bits(self.state)
        found = (int.from_bytes(row, "big") for row, _ in self.repository.store.rows(NODE))
        placed = [node for node in found if nodes.view(node, state).path is not None]
        return sorted(placed, key=nodes.origin)

    def view(self, node: int) -> View:
        """Return what a node is in the state."""
        return self.repository.nodes.view(node, self.bits(self.state))

    def shown(self, node: int) -> bytes:
        """Return the lines of a text; those of a conflict's sides one after the other."""
        nodes = self.repository.nodes
        return nodes.text(node, flat(nodes.reading(node, self.bits(self.state))))

    def create(self, path: bytes, data: bytes, kind: int = KIND_TEXT) -> None:
        """Record a new file."""
        with self._writing() as work:
            change = work.next_change()
            settings = [Setting(PLACE, path)]
            if kind == KIND_BINARY:
                settings.append(Setting(BYTES, content_of(data, work.transaction)))
                draft = NodeDraft(0, (0, 0), kind, tuple(settings))
            else:
                if data and not data.endswith(b"\n"):
                    settings.append(Setting(FINAL_LF, 0))
                    data += b"\n"
                block = Block(change << SHIFT, data.count(b"\n"), EDGE, EDGE)
                deed = Deed((), (block,) if data else ())
                draft = NodeDraft(0, (0, 0), kind, tuple(settings), deed, data)
            self._record(work, draft, change)

    def edit(self, node: int, data: bytes) -> None:
        """Record what a text is to be."""
        text = data + b"\n" if data and not data.endswith(b"\n") else data
        ends = int(text == data)
        wanted: dict[int, bytes | int | None] = {}
        if data and ends != self.view(node).final_lf:
            wanted[FINAL_LF] = ends
        self._change(node, wanted, text)

    def do(self, node: int, deed: Deed) -> None:
        """Record what is done to the lines of a text, none of which is new."""
        with self._writing() as work:
            origin = self.repository.nodes.origin(node)[1:]
            self._record(work, NodeDraft(node, origin, None, (), deed), work.next_change())

    def set(self, node: int, register: int, value: bytes | int | None) -> None:
        """Record a write of a register that replaces all its values."""
        is_text = self.view(node).kind == KIND_TEXT
        gone = register == PLACE and value is None and is_text
        self._change(node, {register: value}, b"" if gone else None)

    def _change(
        self, node: int, wanted: dict[int, bytes | int | None], text: bytes | None
    ) -> None:
        nodes, state = self.repository.nodes, self.bits(self.state)
        registers = nodes.registers(node)
        with self._writing() as work:
            change = work.next_change()
            settings = tuple(
                Setting(
                    register,
                    content_of(value, work.transaction) if isinstance(value, bytes) else value,
                    registers.live_writes(register, state),
                )
                for register, value in wanted.items()
            )
            draft = NodeDraft(node, nodes.origin(node)[1:], None, settings)
            if text is not None:
                draft = self._edited(draft, node, change, text)
            if settings or draft.deed is not None:
                self._record(work, draft, change)

    def _edited(self, draft: NodeDraft, node: int, change: int, text: bytes) -> NodeDraft:
        """Return a draft with what makes a text of what is shown, keeping most lines."""
        nodes, state = self.repository.nodes, self.bits(self.state)
        ways = []
        for reading in ways_to_show(nodes.reading(node, state)):
            found = edits(nodes.text(node, flat(reading)), text)
            if found or reading.conflicts:
                ways.append(record(nodes.graph(node), state, reading, found, change))
        if not ways:
            return draft
        made = min(ways, key=lambda made: sum(block.size for block in made.deed.blocks))
        lines = inserted_lines(self.repository, node, made, text)
        return draft._replace(deed=made.deed, text=lines)

    def _writing(self) -> AbstractContextManager[Writing]:
        return writing(self.repository, STAMP, "fast")

    def _record(self, work: Writing, draft: NodeDraft, change: int) -> None:
        intent = Intent(self.author, Moment(change, 0), b"change")
        name = work.record(intent, self.name, [draft], change).change.id
        self.state |= {name}

    def unrecord(self, change: bytes) -> None:
        """Drop a change from the state, and what depends on it."""
        gone = BitMap(self.bits([change]))
        state = self.bits(self.state)
        for number in state:
            if not gone.isdisjoint(BitMap(self.repository.states.link(number).deps)):
                gone.add(number)
        self.state = self.ids(state - gone)

    def closure(self, changes: Iterable[bytes]) -> frozenset[bytes]:
        """Return changes with what they depend on."""
        links = self.repository.states.link
        return self.ids(_reached(self.bits(changes), lambda number: links(number).deps))

    def take(self, source: "Replica", changes: frozenset[bytes], random: Random) -> None:
        """Add changes of another replica to the state; they arrive in some order."""
        links = source.repository.states.link
        wanted = _reached(source.bits(changes), lambda number: links(number).named)
        arriving = source.ids(wanted) - self.ids(range(1, self._count() + 1))
        with self._writing() as work:

            def holds(blobs: Sequence[bytes]) -> Collection[bytes]:
                return work.transaction.numbers_of(BLOB, blobs)

            receive(
                self.repository,
                work.transaction,
                source.parts(source.bits(arriving), holds, random),
                Silent(),
            )
        self.state |= changes

    def _count(self) -> int:
        return self.repository.store.count(CHANGE)

    def parts(self, changes: BitMap, holds: Holds, random: Random) -> Iterator[Part]:
        """Yield changes with their blobs in some order, each after those that it names."""
        links, endpoint = self.repository.states.link, Stored(self.repository)
        left = {number: BitMap(links(number).named) for number in changes}
        while left:
            pending = BitMap(left)
            ready = [number for number, named in left.items() if named.isdisjoint(pending)]
            number = random.choice(ready)
            del left[number]
            yield from endpoint.missing(
                self._names([number]), self._names(links(number).named), holds
            )

    def _names(self, numbers: Iterable[int]) -> list[ChangeId]:
        return [ChangeId(name) for name in self.repository.store.ids_of(CHANGE, numbers)]

    def looks(self) -> dict[bytes, Looks]:
        """Return what the state looks like, by path.

        Its tree is worked out twice: from that of the state looked at before, and from nothing.
        """
        root = tree_of(self.repository, self.name)
        before, known = self._seen
        state = self.bits(self.state)
        again = moved(self.repository, known, before, state)
        assert list(files(again)) == list(files(root))
        self._seen = state, again
        return {path: self._looks(entry) for path, entry in files(root)}

    def _looks(self, entry: Entry) -> Looks:
        node = entry.node
        nodes, state = self.repository.nodes, self.bits(self.state)
        view = nodes.view(node, state)
        data = b"".join(nodes.content(node, state, view))
        blame: list[bytes] = []
        conflicts: list[Conflict] = []
        if view.kind == KIND_TEXT:
            reading = nodes.reading(node, state)
            for start, size in reading.spans():
                blame += [nodes.rank(start >> SHIFT)] * size
            conflicts = [
                Conflict(
                    sum(reading.sizes[: each.position]),
                    tuple(
                        (nodes.rank(s.change), nodes.text(node, s.spans)) for s in each.sides
                    ),
                )
                for each in reading.conflicts
            ]
        return Looks(
            nodes.origin(node)[0],
            view.kind,
            view.mode,
            data,
            tuple(blame),
            tuple(conflicts),
            self._disputed(node, view),
            entry.disputed,
            b"".join(content(self.repository, node, state)),
        )

    def _disputed(
        self, node: int, view: View
    ) -> tuple[tuple[int, frozenset[tuple[bytes, ...]]], ...]:
        registers, state = self.repository.nodes.registers(node), self.bits(self.state)
        return tuple(
            (
                register,
                frozenset(
                    tuple(sorted(self.ids(value.changes)))
                    for value in registers.values(register, state)
                ),
            )
            for register in view.disputed
        )


def _reached(start: BitMap, named: Callable[[int], Iterable[int]]) -> BitMap:
    """Return changes with all that follows from what they name."""
    ahead = list(start)
    found = BitMap()
    while ahead:
        number = ahead.pop()
        if number not in found:
            found.add(number)
            ahead += named(number)
    return found
