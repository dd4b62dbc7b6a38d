"""Nodes: their graphs, registers and bytes, read from the store (spec: checkpoints, CP1, CP3).

A graph is as of every change that touches its node. It is loaded from its checkpoint, where
there is one, and the changes that came since are applied on top.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from oxy.typed import Final

from pyroaring import BitMap

from oxy.codec.decode import read_node, read_operations
from oxy.errors import CorruptionError
from oxy.graph.reading import Reading
from oxy.graph.render import is_sole, render, survivors
from oxy.graph.straight import straighten
from oxy.graph.text import Deed, Span, TextGraph, bind
from oxy.model.operation import KIND_TEXT, BlobRef, NodeEdit, names_weakly
from oxy.phase import phase
from oxy.repo.cleanness import Cleanness, stand
from oxy.repo.gathered import Gathered
from oxy.repo.insertions import Inserted, Insertions
from oxy.repo.kept import FEW, REPLAYED, Kept, KeptGraph
from oxy.repo.lacking import NoNodeError
from oxy.repo.payloads import Payloads
from oxy.repo.registers import Held, Registers, View, view
from oxy.repo.replaced import Replacements
from oxy.repo.states import States
from oxy.repo.stock import Stock
from oxy.repo.tables import NODE, key, number, unpair
from oxy.repo.teller import Teller
from oxy.store.protocol import CHANGE, Reader

GRAPHS_CACHED: Final = 240_000
"""Runs, and deeds at their weight, of the graphs that are kept in memory: about 70 MB."""

DEED_WEIGHT: Final = 5
"""Runs that take as much memory as what one change did to a text: about 1 kB."""

REMEMBERED: Final = 32_768
"""Changes whose ids, and nodes whose rows are in memory, about 150 bytes each."""

SPILLED: Final = 8
"""Changes that a graph has more than when it was kept, for it to be kept when it is dropped."""

TOGETHER: Final = 128
"""Changes whose payloads are read together to be replayed."""

AHEAD: Final = 4096
"""Changes that are read together."""


class Nodes:
    """The nodes of one store, with caches of bounded size.

    `reader` is what everything is read from; without `kept` graphs, from the changes.
    """

    __slots__ = (
        "_behind",
        "_clean",
        "_graphs",
        "_ids",
        "_insertions",
        "_kept",
        "_kept_deeds",
        "_rows",
        "_weight",
        "_weights",
        "gathered",
        "payloads",
        "reader",
        "replacements",
        "states",
        "stock",
    )

    def __init__(self, reader: Reader, states: States, kept: Kept | None = None) -> None:
        self.reader = reader
        self._kept = kept
        self.states = states
        self.replacements = Replacements(reader)
        self._clean = Cleanness(self.replacements, states)
        self._ids: dict[int, bytes] = {}
        self._rows: dict[int, bytes] = {}
        self._graphs: OrderedDict[int, TextGraph] = OrderedDict()
        self._behind: dict[int, list[int]] = {}
        self._kept_deeds: dict[int, int] = {}
        """How many changes the kept graphs have of those that are in memory."""
        self._weight = 0
        self._weights: dict[int, int] = {}
        self.stock = Stock(reader)
        self._insertions = Insertions(reader, self._inserted, self.stock.foresee_edits)
        self.payloads = Payloads(reader)
        self.gathered = Gathered(reader)

    def forget(self) -> None:
        """Drop what is remembered: a transaction that held some of it was rolled back."""
        self._ids.clear()
        self._rows.clear()
        self._graphs.clear()
        self._clean.forget()
        self.replacements.forget()
        self._behind.clear()
        self._kept_deeds.clear()
        self._insertions.forget()
        self.payloads.forget()
        self.gathered.forget()
        if self._kept is not None:
            self._kept.forget()
        self._weights.clear()
        self._weight = 0

    def note(self, change: int, nodes: Iterable[int]) -> None:
        """Tell that a change was recorded: graphs in memory of what it touches lack it."""
        self.gathered.forget()
        for node in nodes:
            if node in self._graphs:
                self._behind.setdefault(node, []).append(change)

    def unload(self, nodes: Iterable[int]) -> None:
        """Drop graphs from memory: what a change in them names weakly came after it."""
        for node in nodes:
            self._clean.forget(node)
            if self._graphs.pop(node, None) is not None:
                self._behind.pop(node, None)
                self._kept_deeds.pop(node, None)
                self._weight -= self._weights.pop(node)

    def origin(self, node: int) -> tuple[bytes, int, int]:
        """Return a node's id, the change that created it, and its position in that."""
        row = self._row(node)
        return (row[:32], *unpair(row[32:40]))

    def _row(self, node: int) -> bytes:
        row = self._rows.get(node)
        if row is None:
            row = self.reader.row(NODE, key(node))
            if row is None:
                raise NoNodeError(node)
            if len(self._rows) >= REMEMBERED:
                self._rows.clear()
            self._rows[node] = row
        return row

    def look_ahead(self, changes: BitMap) -> None:
        """Read changes together whose texts will be asked for one by one, if they are not many.

        What cannot be read is refused to whoever asks for it.
        """
        if len(changes) <= AHEAD:
            with suppress(CorruptionError):
                self.payloads.load(changes)
                self.replacements.learn(list(changes))
                self.states.learn(changes)

    def edit(self, node: int, change: int) -> NodeEdit | None:
        """Return what a change does to a node, or None if it does not touch it."""
        row = self.gathered.touch(node, change)
        return None if row is None else self.edit_at(change, row)

    def edit_at(self, change: int, row: bytes) -> NodeEdit:
        """Return what a change does to a node, whose row in `TOUCH` is at hand."""
        offset, size = unpair(row)
        payload = self.payloads.of(change)
        if payload is None:
            return read_node(self.reader.read_part(CHANGE, change, offset, size))
        return read_node(payload[offset : offset + size])

    def touching(self, node: int, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """Yield (change, row) of every change that touches a node, in order of arrival."""
        return self.gathered.touching(node, after)

    def kind(self, node: int) -> int:
        """Return the kind that a node was created with."""
        return number(self._row(node))

    def registers(self, node: int, kind: int | None = None) -> Registers:
        """Return every register write of a node. Cost: its writes, which are few.

        Args:
            node: the node.
            kind: the kind that it was created with, if that is at hand.
        """
        found = Registers(self.kind(node) if kind is None else kind)
        for change, row in self.gathered.writes(node):
            found.add(change, row)
        return found

    def view(self, node: int, state: BitMap) -> View:
        """Return what a node is in a state."""
        registers = self.registers(node)
        return view(registers, registers.created, state, self.rank)

    def rank(self, change: int) -> bytes:
        """Return the id of a change; remembered, about 100 bytes each."""
        known = self._ids.get(change)
        if known is None:
            if len(self._ids) >= REMEMBERED:
                self._ids.clear()
            known = self._ids[change] = self.reader.id_of(CHANGE, change)
        return known

    def graph(self, node: int) -> TextGraph:
        """Return the graph of a text with every change that touches it.

        Cost: where it is not in memory, the changes since it was kept; when these are many, it
        is kept again.
        """
        graph = self._graphs.get(node)
        if graph is not None:
            self._graphs.move_to_end(node)
            self._catch_up(node, graph)
            self._weigh(node, graph)
            return graph
        with phase("graphs"):
            found, replayed = self._replayed(node)
            graph = found.graph
            if replayed > REPLAYED and self._kept is not None:
                self._keep(self._kept, node, found)
                replayed = 0
        self.hold(node, graph, len(graph.deeds) - replayed)
        return graph

    def _weigh(self, node: int, graph: TextGraph) -> None:
        """Count what a graph holds by now; over the limit drop the ones used longest ago."""
        weight = len(graph.weave) + DEED_WEIGHT * len(graph.deeds)
        self._weight += weight - self._weights.get(node, 0)
        self._weights[node] = weight
        while self._weight > GRAPHS_CACHED and len(self._graphs) > 1:
            gone, dropped = self._graphs.popitem(last=False)
            self._spill(gone, dropped)
            self._behind.pop(gone, None)
            self._clean.forget(gone)
            self._weight -= self._weights.pop(gone)

    def _spill(self, node: int, graph: TextGraph) -> None:
        """Keep a graph that leaves the memory, unless few changes came since it was kept."""
        held = self._kept_deeds.pop(node, 0)
        if self._kept is not None and len(graph.deeds) - held > SPILLED:
            self._catch_up(node, graph)
            self._kept.put(node, graph.touched.max(), graph)

    def _catch_up(self, node: int, graph: TextGraph) -> None:
        """Apply what was recorded since a graph was loaded, unless its recorder did."""
        for change in self._behind.pop(node, ()):
            edit = None if change in graph.touched else self.edit(node, change)
            if edit is not None:
                self.apply(graph, change, edit)

    def _replayed(self, node: int) -> tuple[KeptGraph, int]:
        """Return a graph as of all that touches it, and how many changes were replayed."""
        kept = self._kept.get(node) if self._kept is not None else None
        newest, graph, texts = kept or (0, TextGraph(), {})
        replayed = 0
        rows = self.touching(node, newest)
        while some := list(islice(rows, TOGETHER)):
            self.payloads.load(change for change, _ in some)
            replayed += self._replay(graph, some, texts)
            newest = some[-1][0]
        self._insertions.supply(node, texts)
        return KeptGraph(newest, graph, texts), replayed

    def _replay(
        self, graph: TextGraph, rows: list[tuple[int, bytes]], texts: dict[int, bytes]
    ) -> int:
        """Apply what changes do to a text, and note what they insert; return how many."""
        for change, row in rows:
            edit = self.edit_at(change, row)
            self.apply(graph, change, edit)
            if isinstance(edit.content, bytes):
                texts[change] = edit.content
        return len(rows)

    def keep(self, node: int) -> bool:
        """Keep the graph of a text, unless few changes have touched it since it was kept.

        Cost: as `graph` has.
        """
        if self._kept is None or self._kept.behind(node) <= FEW:
            return False
        self._keep(self._kept, node, self._replayed(node)[0])
        return True

    def _keep(self, kept: Kept, node: int, found: KeptGraph) -> None:
        """Keep a graph, with a ground that is near to what will be read of it (G54)."""
        newest, graph, texts = found
        state = self.states.of_change(newest) & graph.touched
        if graph.is_disputed:
            is_sole(graph, state)
        elif self._clean.is_clean(node, graph, state):
            graph.grounds.note(state)
        kept.put(node, newest, graph, texts)

    def hold(self, node: int, graph: TextGraph, kept: int = 0) -> None:
        """Take the graph of a text, as of all that touches it, of which some deeds are kept."""
        self._kept_deeds[node] = kept
        self._graphs[node] = graph
        self._weigh(node, graph)

    def loaded(self, node: int) -> TextGraph | None:
        """Return the graph of a text if it is in memory."""
        return self._graphs.get(node)

    def apply(self, graph: TextGraph, change: int, edit: NodeEdit) -> None:
        """Apply what a change does to a text."""
        deed = self.deed(graph, change, edit)
        if deed is None:
            return
        graph.apply(change, deed)
        if deed.orders:
            straighten(graph)

    def deed(self, graph: TextGraph, change: int, edit: NodeEdit) -> Deed | None:
        """Return what a change does to a text, or None if it leaves the lines alone."""
        if edit.text is None:
            return None
        deps = self.states.link(change).deps
        weak = self._weak(change) if names_weakly(edit) else ()
        needs = tuple(dep for dep in deps if dep in graph.touched)
        return bind(edit.text, (change, *deps, *weak), needs)

    def _weak(self, change: int) -> tuple[int, ...]:
        names = read_operations(self.reader.read(CHANGE, change)).weak
        return tuple(self.reader.number_of(CHANGE, name) or 0 for name in names)

    def inserted(self, node: int, change: int) -> Inserted:
        """Return the lines that a change inserts into a node."""
        return self._insertions.of(node, change)

    def _inserted(self, node: int, change: int, edit: NodeEdit | None) -> bytes:
        """Return the text of those lines, whose edit may be at hand."""
        edit = edit or self.edit(node, change)
        held = edit.content if edit else b""
        return self.blob(held) if isinstance(held, BlobRef) else held or b""

    def blob(self, ref: BlobRef) -> bytes:
        """Return the bytes of a blob.

        Raises:
            MissingBlobError: it is not stored, and not promised; or as `lacking.bring`.
        """
        return b"".join(self.blob_chunks(ref))

    def blob_chunks(self, ref: BlobRef) -> Iterator[bytes]:
        """Yield the bytes of a blob in pieces."""
        return self.stock.chunks(ref)

    def text(self, node: int, spans: Iterable[Span]) -> bytes:
        """Return the bytes of lines of a node. Cost: a slice a span."""
        with phase("render"):
            return self._insertions.text(node, spans)

    def reading(self, node: int, state: BitMap) -> Reading:
        """Return what a state reads of a text. Cost: its runs."""
        return self.read_graph(node, self.graph(node), state)

    def read_graph(self, node: int, graph: TextGraph, state: BitMap) -> Reading:
        """Return what a state reads of a text whose graph is at hand."""
        with phase("render"):
            present = state & graph.touched
            if not graph.is_disputed and self._clean.is_clean(node, graph, present):
                return survivors(graph, present)
            stand(self.states, graph, present)
            return render(graph, state, self.teller(node))

    def teller(self, node: int) -> Teller:
        """Return what tells the graph of a text what it asks of the world outside."""
        return Teller(self.states, self.rank, partial(self.text, node))

    def content(self, node: int, state: BitMap, seen: View | None = None) -> Iterator[bytes]:
        """Yield the bytes of a file as a state has it, in pieces.

        A conflict reads as its sides one after the other here; the working copy writes it out
        with markers.
        """
        seen = seen or self.view(node, state)
        if seen.kind != KIND_TEXT:
            yield from self._held(seen.content)
            return
        pieces = self.text(node, _flat(self.reading(node, state)))
        yield pieces[:-1] if pieces and not seen.final_lf else pieces

    def _held(self, held: Held) -> Iterator[bytes]:
        if isinstance(held, BlobRef):
            yield from self.blob_chunks(held)
        elif isinstance(held, bytes):
            yield held


def _flat(reading: Reading) -> Iterable[Span]:
    if not reading.conflicts:
        return reading.spans()
    from oxy.graph.draft import flat

    return flat(reading)
