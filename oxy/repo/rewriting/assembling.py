"""From parts to a change (spec: model, M20 to M33).

The counterpart of `parts`: dependencies are exactly the changes that the parts refer to.
"""

from collections.abc import Iterable, Sequence
from oxy.typed import NamedTuple

from oxy.codec.encode import encode_sized
from oxy.codec.inline import Room
from oxy.codec.limits import INLINE
from oxy.graph.naming import edit_of, strong, weak
from oxy.model.change import Context, Header, Operations
from oxy.model.digest import ChangeId
from oxy.model.operation import (
    DIRECTORY,
    SELF,
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
from oxy.repo.recording import Composed, Intent, placed
from oxy.repo.rewriting.parts import At, Chain, Held, Part, own
from oxy.repo.states import Name
from oxy.repo.writing import Writing

_BLANK = TextEdit()


class Assembly(NamedTuple):
    """A change to be made: its header, the state it is of, its parts, and its number.

    `leans` are changes to depend on that parts name in a weak way only.
    """

    intent: Intent
    context: Name
    parts: Sequence[Part]
    leans: frozenset[int]
    number: int


def assemble(work: Writing, assembly: Assembly) -> Composed:
    """Return the change; what does not fit inside it is stored as blobs.

    Raises:
        ShapeError, TooLargeError: it breaks a rule of the model, or a limit.
    """
    refs = _Refs(work, assembly)
    tree = _Tree(assembly.parts)
    edits = sorted(_edits(work, assembly.parts, refs, tree), key=_order)
    room = Room()
    nodes = [placed(edit, room, work.transaction) for edit in edits]
    names = [tuple(sorted(work.ids_of(part))) for part in assembly.context]
    author, time, message, extra = assembly.intent
    header = Header(author, time, message, refs.deps, Context(*names), extra)
    operations = Operations(refs.weak, tree.directories, tuple(nodes))
    return Composed(*encode_sized(header, operations))


class _Refs:
    """The changes that parts name, as references."""

    __slots__ = ("_refs", "deps", "weak")

    def __init__(self, work: Writing, assembly: Assembly) -> None:
        firm: set[int] = set()
        loose: set[int] = set()
        for part in assembly.parts:
            if isinstance(part.key, int) and not own(part):
                firm.add(work.repository.nodes.origin(part.key)[1])
            for write in part.writes:
                firm.update(write.replaces)
            if part.deed is not None:
                firm |= strong(part.deed)
                loose |= weak(part.deed)
        firm |= assembly.leans & loose
        firm.discard(assembly.number)
        loose -= firm | {assembly.number}
        self._refs = {assembly.number: SELF}
        self.deps = self._take(work, firm)
        self.weak = self._take(work, loose)

    def _take(self, work: Writing, numbers: set[int]) -> tuple[ChangeId, ...]:
        ordered = sorted(numbers)
        named = sorted(zip(work.ids_of(ordered), ordered, strict=True))
        for _, number in named:
            self._refs[number] = len(self._refs)
        return tuple(name for name, _ in named)

    def ref(self, number: int) -> int:
        """Return the reference of a change number."""
        return self._refs[number]


class _Tree:
    """The directories that parts name, in order of their paths."""

    __slots__ = ("directories", "positions")

    def __init__(self, parts: Iterable[Part]) -> None:
        found: set[Chain] = set()
        for chain in _named(parts):
            above = chain
            while above and above not in found:
                found.add(above)
                above = above[:-1]
        self.positions: dict[Chain, int] = {(): 0}
        directories = []
        for chain in sorted(found):
            name, k = chain[-1]
            directories.append(Directory(self.positions[chain[:-1]], name, k))
            self.positions[chain] = len(directories)
        self.directories = tuple(directories)


def _named(parts: Iterable[Part]) -> Iterable[Chain]:
    for part in parts:
        if not isinstance(part.key, int):
            yield part.key
        for write in part.writes:
            if isinstance(write.value, At):
                yield write.value.parent


def _edits(
    work: Writing, parts: Iterable[Part], refs: _Refs, tree: _Tree
) -> Iterable[NodeEdit]:
    created = 0
    for part in parts:
        if own(part):
            ref = NodeRef(SELF, created)
            created += 1
        elif isinstance(part.key, int):
            _, creator, position = work.repository.nodes.origin(part.key)
            ref = NodeRef(refs.ref(creator), position)
        else:
            ref = NodeRef(DIRECTORY, tree.positions[part.key])
        writes = tuple(
            Write(
                write.register,
                _value(work, write.value, tree),
                tuple(sorted(map(refs.ref, write.replaces))),
            )
            for write in sorted(part.writes, key=_register)
        )
        edit = NodeEdit(ref, part.created, writes)
        text = None if part.deed is None else edit_of(part.deed, refs.ref)
        if text is not None and text != _BLANK:
            edit = edit._replace(text=text, content=_inline(work, part.content))
        if edit.created is not None or edit.writes or edit.text is not None:
            yield edit


def _register(write: tuple[int, object, object]) -> int:
    return write[0]


def _value(work: Writing, value: Held, tree: _Tree) -> Value:
    if isinstance(value, At):
        return Place(tree.positions[value.parent], value.name)
    return _inline(work, value) if isinstance(value, BlobRef) else value


def _inline(work: Writing, content: Content | None) -> Content | None:
    """Return short content as bytes, for the new change may have room for it (M33)."""
    if isinstance(content, BlobRef) and content.length < INLINE:
        return work.repository.nodes.blob(content)
    return content or None


def _order(edit: NodeEdit) -> tuple[int, int, int]:
    """Return what edits of nodes stand in order of: own ones, others', directories (M27)."""
    change, position = edit.node
    kind = {SELF: 0, DIRECTORY: 2}.get(change, 1)
    return kind, change if kind == 1 else 0, position
