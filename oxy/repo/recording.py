"""From what is to be done to nodes to a change (spec: model, M20 to M29).

Whoever records says what happens to each node in terms of this repository: node and change
numbers, paths, lines. Here it becomes a change, whose dependencies are exactly the changes that
its operations refer to.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from oxy.typed import Final, NamedTuple, TypeAlias

from oxy.codec.encode import Encoder
from oxy.codec.inline import Room
from oxy.codec.limits import INLINE
from oxy.codec.packed import PackedNodes
from oxy.graph.naming import edit_of, strong, weak
from oxy.graph.text import Deed
from oxy.model.change import Change, Context, Header, Moment, Operations
from oxy.model.digest import ChangeId, blob_id
from oxy.model.operation import (
    BYTES,
    DIRECTORY,
    KIND_TEXT,
    PLACE,
    BlobRef,
    Content,
    Directory,
    NodeEdit,
    NodeRef,
    Place,
    TextEdit,
    Value,
    Write,
)
from oxy.repo.directories import Moving, parted
from oxy.repo.states import Name
from oxy.store.protocol import BLOB, Transaction

IdsOf: TypeAlias = Callable[[Sequence[int]], list[ChangeId]]


Chain: TypeAlias = tuple[tuple[bytes, int], ...]

_BLANK: Final = TextEdit()


class Setting(NamedTuple):
    """A register write: the value (a place is a path or None), and what it replaces."""

    register: int
    value: bytes | int | BlobRef | None
    replaces: tuple[int, ...] = ()


class NodeDraft(NamedTuple):
    """What happens to one node.

    `node` is 0 for one that is created, whose kind `created` gives; `origin` is where another
    was created: change number and position. `text` are the lines that the deed inserts, or the
    blob that holds them already: of 4 KiB or more, or beyond the room of the change (M33).
    """

    node: int
    origin: tuple[int, int]
    created: int | None
    settings: tuple[Setting, ...]
    deed: Deed | None = None
    text: Content = b""


class Intent(NamedTuple):
    """Who records what, when and why."""

    author: bytes
    time: Moment
    message: bytes
    extra: tuple[tuple[bytes, bytes], ...] = ()


def content_of(data: Content, transaction: Transaction) -> Content:
    """Return bytes as a draft holds them; long ones become a blob.

    Short ones are left to `compose`, which knows whether the change has room for them.
    """
    if isinstance(data, BlobRef) or len(data) < INLINE:
        return data
    return stored(data, transaction)


def stored(data: bytes, transaction: Transaction) -> BlobRef:
    """Store bytes as a blob and return its name."""
    ref = BlobRef(blob_id(data), len(data))
    transaction.append(BLOB, ref.id, data)
    return ref


class Creation(NamedTuple):
    """Nodes that a change creates, drafted while it is made: memory holds one at a time.

    `paths` are their places, in the order of `drafts`, in which they depend on no change.
    """

    paths: Sequence[bytes]
    drafts: Iterable[NodeDraft]


NOTHING: Final = Creation((), ())


class Layout(NamedTuple):
    """The directories that a change is recorded among.

    `at` returns the directory at a path once the change is there, as an identity path; `moves`
    are the directories that it moves.
    """

    at: Callable[[bytes], bytes]
    moves: tuple[Moving, ...] = ()


PLAIN: Final = Layout(bytes)
"""No directory was ever moved: each is what its path says."""


class Composed(NamedTuple):
    """A change, its payload, and the encoded size of each node's edit."""

    change: Change
    payload: bytes
    sizes: Sequence[int]


def compose(
    transaction: Transaction,
    ids_of: IdsOf,
    intent: Intent,
    context: Name,
    drafts: Sequence[NodeDraft],
    change: int,
    layout: Layout = PLAIN,
    creation: Creation = NOTHING,
) -> Composed:
    """Return the change that does what drafts say; blobs are stored.

    Args:
        transaction: where blobs go.
        ids_of: the ids of changes by number.
        intent: the header.
        context: the state that is recorded on.
        drafts: what happens, a node at a time; created nodes in order of their paths.
        change: the number that the change will have.
        layout: which directories there are, and which of them are moved.
        creation: more nodes that are created, ahead of all others.

    Cost: what the drafts name; memory for `drafts`, and for what is encoded of `creation`.
    """
    ids = _Ids(ids_of, drafts, change, layout.moves)
    paths = _Directories(drafts, layout, creation.paths)
    names = [tuple(sorted(ids_of(part))) for part in context]
    header = Header(
        intent.author, intent.time, intent.message, ids.deps, Context(*names), intent.extra
    )
    encoder = Encoder(header, ids.weak, paths.directories)
    room = Room()
    for position, draft in enumerate(creation.drafts):
        edit = _node_edit(draft, (change, position), ids, paths)
        encoder.take(placed(edit, room, transaction))
    nodes = sorted(
        (
            _node_edit(draft, origin, ids, paths)
            for draft, origin in _numbered(drafts, change, len(encoder.sizes))
        ),
        key=lambda edit: edit.node,
    )
    nodes += sorted(_moved(moving, ids, paths) for moving in layout.moves)
    is_streamed = bool(encoder.sizes)
    nodes = [placed(edit, room, transaction) for edit in nodes]
    for edit in nodes:
        encoder.take(edit)
    name, payload = encoder.end()
    held = PackedNodes(payload, encoder.sizes) if is_streamed else tuple(nodes)
    operations = Operations(ids.weak, paths.directories, held)
    return Composed(Change(name, header, operations), payload, encoder.sizes)


def _numbered(
    drafts: Sequence[NodeDraft], change: int, position: int
) -> Iterable[tuple[NodeDraft, tuple[int, int]]]:
    """Yield drafts and where their nodes are created; those of the change from a position."""
    for draft in drafts:
        if draft.created is None:
            yield draft, draft.origin
        else:
            yield draft, (change, position)
            position += 1


class _Ids:
    """The changes that drafts name, as references."""

    __slots__ = ("_refs", "change", "deps", "weak")

    def __init__(
        self,
        ids_of: IdsOf,
        drafts: Sequence[NodeDraft],
        change: int,
        moves: Sequence[Moving] = (),
    ) -> None:
        firm = {replaced for moving in moves for replaced in moving.replaces}
        loose: set[int] = set()
        for draft in drafts:
            if draft.created is None:
                firm.add(draft.origin[0])
            for setting in draft.settings:
                firm.update(setting.replaces)
            if draft.deed is not None:
                firm |= strong(draft.deed)
                loose |= weak(draft.deed)
        firm.discard(change)
        loose -= firm | {change}
        self.change = change
        self._refs = {change: 0}
        self.deps = self._take(ids_of, firm)
        self.weak = self._take(ids_of, loose)

    def _take(self, ids_of: IdsOf, numbers: set[int]) -> tuple[ChangeId, ...]:
        ordered = sorted(numbers)
        named = sorted(zip(ids_of(ordered), ordered, strict=True))
        for _, number in named:
            self._refs[number] = len(self._refs)
        return tuple([name for name, _ in named])

    def ref(self, number: int) -> int:
        """Return the reference of a change number."""
        return self._refs[number]


class _Directories:
    """The directories that drafts name, in order of their paths."""

    __slots__ = ("_at", "_known", "directories", "positions")

    def __init__(
        self, drafts: Sequence[NodeDraft], layout: Layout, created: Sequence[bytes]
    ) -> None:
        self._at = layout.at
        self._known: dict[bytes, Chain] = {}
        found: set[Chain] = set()
        paths = [
            setting.value
            for draft in drafts
            for setting in draft.settings
            if setting.register == PLACE and isinstance(setting.value, bytes)
        ]
        paths += [moving.path for moving in layout.moves]
        named = {self._above(path) for path in chain(paths, created)}
        named.update(parted(moving.identity) for moving in layout.moves)
        for parts in named:
            while parts and parts not in found:
                found.add(parts)
                parts = parts[:-1]  # noqa: PLW2901 - the directory above
        self.positions: dict[Chain, int] = {(): 0}
        directories = []
        for parts in sorted(found):
            directories.append(Directory(self.positions[parts[:-1]], *parts[-1]))
            self.positions[parts] = len(directories)
        self.directories = tuple(directories)

    def _above(self, path: bytes) -> Chain:
        above = path.rpartition(b"/")[0]
        known = self._known.get(above)
        if known is None:
            known = self._known[above] = parted(self._at(above))
        return known

    def place(self, path: bytes) -> Place:
        """Return the place of a path."""
        return Place(self.positions[self._above(path)], path.rpartition(b"/")[2])


def _moved(moving: Moving, ids: _Ids, paths: _Directories) -> NodeEdit:
    ref = NodeRef(DIRECTORY, paths.positions[parted(moving.identity)])
    replaces = tuple(sorted(map(ids.ref, moving.replaces)))
    return NodeEdit(ref, None, (Write(PLACE, paths.place(moving.path), replaces),))


def _node_edit(
    draft: NodeDraft, origin: tuple[int, int], ids: _Ids, paths: _Directories
) -> NodeEdit:
    writes = tuple([_write(setting, ids, paths) for setting in sorted(draft.settings)])
    ref = NodeRef(ids.ref(origin[0]), origin[1])
    edit = NodeEdit(ref, draft.created, writes)
    if draft.deed is None or (draft.created not in (None, KIND_TEXT)):
        return edit
    text_edit = edit_of(draft.deed, ids.ref)
    if text_edit == _BLANK:
        return edit
    return edit._replace(text=text_edit, content=draft.text or None)


def _write(setting: Setting, ids: _Ids, paths: _Directories) -> Write:
    value: Value = setting.value
    if isinstance(value, bytes) and setting.register == PLACE:
        value = paths.place(value)
    return Write(setting.register, value, tuple(sorted(map(ids.ref, setting.replaces))))


def placed(edit: NodeEdit, room: Room, transaction: Transaction) -> NodeEdit:
    """Return an edit with its contents where they belong: inline, or in a blob (M33)."""
    for at, (register, value, replaces) in enumerate(edit.writes):
        if register == BYTES and isinstance(value, bytes | BlobRef):
            held = _held(value, room, transaction)
            if held is not value:
                write = Write(BYTES, held, replaces)
                edit = edit._replace(writes=(*edit.writes[:at], write, *edit.writes[at + 1 :]))
    if edit.content is None:
        return edit
    content = _held(edit.content, room, transaction)
    return edit if content is edit.content else edit._replace(content=content)


def _held(content: Content, room: Room, transaction: Transaction) -> Content:
    if isinstance(content, BlobRef) or room.takes(len(content)):
        return content
    return stored(content, transaction)
