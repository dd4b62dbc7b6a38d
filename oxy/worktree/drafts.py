"""From what differs in the working copy to what a change does (spec: model, M20 to M29; graph).

Everything is read again here, and proven to be what the snapshot saw.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from oxy.typed import Final, NamedTuple
from types import MappingProxyType

from oxy.codec.inline import Room
from oxy.codec.limits import INLINE
from oxy.graph.holding import KeptConflictError
from oxy.graph.record import record
from oxy.graph.recorded import Recorded
from oxy.graph.text import EDGE, Block, Deed
from oxy.graph.weave import SHIFT
from oxy.model.digest import BlobId, blob_id
from oxy.model.operation import (
    BYTES,
    FINAL_LF,
    KIND,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    PLACE,
    TARGET,
    BlobRef,
    Content,
)
from oxy.phase import phase
from oxy.repo.insertions import Inserted
from oxy.repo.recording import Creation, NodeDraft, Setting, content_of
from oxy.repo.registers import Held, Registers, View
from oxy.repo.standing import standing
from oxy.repo.states import Name
from oxy.repo.textual import with_final_lf
from oxy.repo.trees import tree_of, twins
from oxy.repo.writing import Writing
from oxy.store.protocol import BLOB
from oxy.worktree.conflicted import marked
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.loading import Loaded, again, load
from oxy.worktree.reader import TreeReader
from oxy.worktree.resolutions import NOTHING, Choices
from oxy.worktree.snapshot import Changed
from oxy.worktree.turning import turned
from oxy.worktree.unmarked import MarkersLeftError, NotAloneError, read_back, read_whole
from oxy.worktree.wholesale import is_carried

_NEW: Final = 0
_NO_TEXT: Final = b""
_NOWHERE: Final = b""


class Draft(NamedTuple):
    """What happens to one node, and what the state holds then; None where it is gone.

    The path is empty where it showed nowhere. The item of a node that is created has 0 for a
    node: its number is known once it is stored.
    """

    node: NodeDraft
    path: bytes
    item: Item | None


class Created(NamedTuple):
    """As a draft, of a node that is created."""

    node: NodeDraft
    path: bytes
    item: Item


class Drafter:
    """Drafts one change."""

    __slots__ = (
        "_chosen",
        "_context",
        "_literal",
        "_nodes",
        "_number",
        "_partly",
        "_reader",
        "_room",
        "_state",
        "_work",
        "created",
    )

    def __init__(
        self,
        work: Writing,
        context: Name,
        number: int,
        reader: TreeReader,
        chosen: Choices = NOTHING,
        *,
        literal: bool = False,
    ) -> None:
        """Take where it is stored, the state recorded on, its number, and the files.

        What is in `chosen` is written though the state shows it already. With `literal`
        markers that are left in a file are lines like any other.
        """
        self._work = work
        self._context = context
        self._nodes = work.repository.nodes
        self._state = work.repository.states.members(context)
        self._number = number
        self._reader = reader
        self._chosen = chosen
        self._literal = literal
        self._partly: dict[bytes, Loaded] = {}
        # Nodes that are created come first in a change, in the order in which they are drafted:
        # what of them does not fit can be stored as it is read, and memory does not hold it.
        self._room = Room()
        self.created: list[tuple[bytes, Item]] = []

    def drafts(
        self,
        changes: Sequence[Changed],
        partly: Iterable[tuple[bytes, Loaded]] = (),
        moved: Mapping[bytes, bytes] = MappingProxyType({}),
    ) -> list[Draft]:
        """Return what happens to each node, those that are created in order of their paths.

        Args:
            changes: what differs.
            partly: what is taken for a file in place of what is on disk.
            moved: the directories that are moved whole; the places of files below stay.

        What shows as one with a file that is edited is retired with that (N18).
        Cost: the files that changed; large ones are stored as they are read.

        Raises:
            ChangedError: a file is not what the snapshot saw, or was written meanwhile.
            MarkersLeftError, NotAloneError: a file is in conflict in a way that cannot be
                recorded.
        """
        self._partly = dict(partly)
        return self._drafts(sorted(changes, key=lambda change: change.path), moved)

    def streamed(
        self,
        changes: Sequence[Changed],
        partly: Iterable[tuple[bytes, Loaded]] = (),
        moved: Mapping[bytes, bytes] = MappingProxyType({}),
    ) -> tuple[Creation, list[Draft]]:
        """Return what happens to each node, that to new ones to be drafted one by one.

        `created` has what was drafted of these so far. See `drafts`.
        """
        self._partly = dict(partly)
        ordered = sorted(changes, key=lambda change: change.path)
        new = [(change.path, change.record) for change in ordered if change.item is None]
        others = self._drafts([change for change in ordered if change.item is not None], moved)
        paths = [path for path, record in new if record is not None]
        return Creation(paths, self._creation(new)), others

    def _creation(self, new: Iterable[tuple[bytes, bytes | None]]) -> Iterator[NodeDraft]:
        for path, on_disk in new:
            if on_disk is not None:
                node, _, item = self._created(path, on_disk)
                self.created.append((path, item))
                yield node

    def _drafts(self, ordered: list[Changed], moved: Mapping[bytes, bytes]) -> list[Draft]:
        stay = {change.path for change in ordered if is_carried(change, moved)}
        drafts = [
            self._draft(change._replace(source=None) if change.path in stay else change)
            for change in ordered
        ]
        tree = tree_of(self._work.repository, self._context)
        for change, draft in zip(ordered, drafts.copy(), strict=True):
            if _does_something(draft):
                drafts += map(self._retired, twins(tree, change.source or change.path))
        return list(filter(_does_something, drafts))

    def _retired(self, twin: int) -> Draft:
        """Return what happens to a node that showed as one with another, which is edited."""
        return self._deleted(_NOWHERE, Item(twin, 0, 0, UNHASHED))

    def _draft(self, change: Changed) -> Draft:
        item, on_disk = change.item, change.record
        if item is not None and on_disk is not None:
            return self._edited(change, item, on_disk)
        if on_disk is not None:
            return Draft(*self._created(change.path, on_disk))
        assert item is not None  # noqa: S101 - what is on neither side has not changed
        return self._deleted(change.path, item)

    def _created(self, path: bytes, on_disk: bytes) -> Created:
        loaded = self._load(path, on_disk)
        settings = [Setting(PLACE, path)]
        if loaded.mode:
            settings.append(Setting(MODE, loaded.mode))
        deed: Deed | None = None
        text: Content = _NO_TEXT
        if loaded.kind == KIND_TEXT:
            data = loaded.data or b""
            if data and not data.endswith(b"\n"):
                settings.append(Setting(FINAL_LF, 0))
            deed, text = self._whole(data, loaded.digest)
        elif loaded.kind == KIND_SYMLINK:
            settings.append(Setting(TARGET, loaded.data))
        elif loaded.data is not None and self._room.takes(loaded.size):
            settings.append(Setting(BYTES, loaded.data))
        else:
            settings.append(Setting(BYTES, self._blob(path, on_disk, loaded)))
        draft = NodeDraft(_NEW, (0, 0), loaded.kind, tuple(settings), deed, text)
        return Created(draft, path, _item(_NEW, loaded))

    def _whole(self, data: bytes, digest: bytes) -> tuple[Deed | None, Content]:
        """Return the deed that inserts a text whole, and the lines that it inserts."""
        if not data:
            return None, _NO_TEXT
        lines = with_final_lf(data)
        block = Block(self._number << SHIFT, lines.count(b"\n"), EDGE, EDGE)
        deed = Deed((), (block,))
        if self._room.takes(len(lines)):
            return deed, lines
        return deed, self._stored(lines, digest if lines is data else None)

    def _stored(self, data: bytes, digest: bytes | None) -> BlobRef:
        ref = BlobRef(BlobId(digest) if digest else blob_id(data), len(data))
        self._work.transaction.append(BLOB, ref.id, data)
        return ref

    def _blob(self, path: bytes, seen: bytes, loaded: Loaded) -> BlobRef:
        if loaded.data is not None:
            return self._stored(loaded.data, loaded.digest)
        ref = BlobRef(BlobId(loaded.digest), loaded.size)
        chunks = again(self._reader, path, seen, loaded.digest)
        self._work.transaction.append_chunks(BLOB, ref.id, ref.length, chunks)
        return ref

    def _deleted(self, path: bytes, item: Item) -> Draft:
        registers, seen = self._registers(item.node)
        settings = [self._setting(registers, PLACE, None)]
        deed: Deed | None = None
        if seen.kind == KIND_TEXT:
            deed, _ = self._edit(path, item.node, seen, b"")
        return Draft(self._node(item, settings, deed), path, None)

    def _edited(self, change: Changed, item: Item, on_disk: bytes) -> Draft:
        path = change.path
        loaded = self._load(path, on_disk)
        registers, seen = self._registers(item.node)
        chosen = self._chosen_of(item.node)
        wanted: list[tuple[int, bytes | int]] = [(KIND, loaded.kind)]
        if change.source is not None or PLACE in chosen:
            wanted.append((PLACE, path))
        # A symlink is not executable: what the file was before it must not show again after it.
        wanted.append((MODE, loaded.mode))
        deed: Deed | None = None
        text: Content = _NO_TEXT
        if KIND_TEXT in {seen.kind, loaded.kind}:
            data = loaded.data or b"" if loaded.kind == KIND_TEXT else b""
            deed, text = self._edit(path, item.node, seen, data)
            if data:
                wanted.append((FINAL_LF, int(data.endswith(b"\n"))))
        now = {PLACE: seen.path, KIND: seen.kind, MODE: seen.mode, FINAL_LF: seen.final_lf}
        settings = [
            self._setting(registers, register, value)
            for register, value in wanted
            if now[register] != value or register in chosen
        ]
        if loaded.kind != KIND_TEXT:
            is_chosen = not chosen.isdisjoint((BYTES, TARGET))
            if is_chosen or seen.kind != loaded.kind or not _is_held(seen.content, loaded):
                settings.append(self._content(registers, path, on_disk, loaded))
        draft = self._node(item, settings, deed, text)
        return Draft(draft, path, _item(item.node, loaded))

    def _content(
        self, registers: Registers, path: bytes, on_disk: bytes, loaded: Loaded
    ) -> Setting:
        if loaded.kind == KIND_SYMLINK:
            return self._setting(registers, TARGET, loaded.data)
        held = loaded.data if loaded.size < INLINE else self._blob(path, on_disk, loaded)
        return self._setting(registers, BYTES, held)

    def _chosen_of(self, node: int) -> set[int]:
        """Return the registers of a node that are written though nothing differs."""
        if not self._chosen:
            return set()
        name = self._nodes.origin(node)[0]
        return {register for held, register in self._chosen if held == name}

    def _edit(
        self, path: bytes, node: int, seen: View, data: bytes
    ) -> tuple[Deed | None, Content]:
        """Return the deed that makes a text read as the data do, and the lines it inserts.

        Raises:
            MarkersLeftError: the data have markers that are neither untouched nor resolved.
            NotAloneError: a conflict is untouched, but what is beside it is not.
        """
        with phase("graphs"):
            graph = self._nodes.graph(node)
            reading = self._nodes.reading(node, self._state)
            new = with_final_lf(data)
            old = marked(self._work.repository, node, self._state, reading, seen.final_lf)
            found = read_back(old, new)
            if found.left is not None and not self._literal:
                raise MarkersLeftError([(path, found.left)])
            is_literal = found.left is not None
            found = read_whole(old, new) if is_literal else found
            kept = frozenset(found.kept)
            if len(kept) < len(reading.conflicts) and not is_literal:
                text_of = partial(self._nodes.text, node)
                reading, found = turned(reading, old, found, data, text_of)
            elif not found.edits and not is_literal:
                return None, _NO_TEXT
            try:
                done = record(graph, self._state, reading, found.edits, self._number, kept)
            except KeptConflictError as error:
                lines = [one.line for one in found.untouched if one.conflict == error.conflict]
                raise NotAloneError(path, min(lines, default=0) + 1, error.rule) from error
            inserted = self._inserted(node, done, new)
            return done.deed, content_of(inserted, self._work.transaction)

    def _inserted(self, node: int, done: Recorded, new: bytes) -> bytes:
        lines = Inserted(new, [])
        parts: list[bytes] = []
        for size, start, moved in done.sources:
            if start is not None:
                parts.append(lines.lines(start, size))
            elif moved is not None:
                parts.append(self._nodes.text(node, (moved,)))
        return b"".join(parts)

    def _load(self, path: bytes, seen: bytes) -> Loaded:
        with phase("read"):
            return self._partly.get(path) or load(self._reader, path, seen)

    def _registers(self, node: int) -> tuple[Registers, View]:
        registers = self._nodes.registers(node)
        return registers, standing(self._nodes, node, self._state, registers).seen

    def _setting(
        self, registers: Registers, register: int, value: bytes | int | BlobRef | None
    ) -> Setting:
        return Setting(register, value, registers.live_writes(register, self._state))

    def _node(
        self,
        item: Item,
        settings: Sequence[Setting],
        deed: Deed | None,
        text: Content = _NO_TEXT,
    ) -> NodeDraft:
        _, change, position = self._nodes.origin(item.node)
        return NodeDraft(item.node, (change, position), None, tuple(settings), deed, text)


def _does_something(draft: Draft) -> bool:
    return bool(draft.node.settings or draft.node.deed)


def _is_held(held: Held, loaded: Loaded) -> bool:
    """Tell whether the state holds these bytes, inline or as a blob."""
    if isinstance(held, BlobRef):
        return held == (loaded.digest, loaded.size)
    return loaded.data is not None and held == loaded.data


def _item(node: int, loaded: Loaded) -> Item:
    return Item(node, loaded.kind, loaded.mode, loaded.digest)
