"""What a change does, a node at a time, in numbers of this repository (spec: model, M20).

Between what is stored, where changes and directories are references, and a rewrite, which
says the same of other changes.
"""

from collections.abc import Iterable, Sequence
from oxy.typed import NamedTuple, TypeAlias

from oxy.diff.lines import Edit
from oxy.graph.text import Deed, bind
from oxy.model.change import Header
from oxy.model.digest import node_id
from oxy.model.operation import (
    DIRECTORY,
    BlobRef,
    Content,
    Directory,
    NodeEdit,
    Place,
    Value,
)
from oxy.repo.repository import Repository
from oxy.repo.tables import NODE_ID, number
from oxy.store.protocol import CHANGE

Chain: TypeAlias = tuple[tuple[bytes, int], ...]
"""A directory: (name, k) from the root down."""

Key: TypeAlias = int | Chain
"""A node: the number of one that somebody created, or a directory."""


class At(NamedTuple):
    """A place: the directory, and the name in it."""

    parent: Chain
    name: bytes


Held: TypeAlias = At | BlobRef | bytes | int | None


class Wrote(NamedTuple):
    """A register write: code, value, and the changes whose writes it replaces, by number."""

    register: int
    value: Held
    replaces: tuple[int, ...]


class Part(NamedTuple):
    """What one change does to one node; `created` is the kind where it creates it."""

    key: Key
    created: int | None
    writes: tuple[Wrote, ...]
    deed: Deed | None = None
    content: Content | None = None


class Share(NamedTuple):
    """What one of several new changes takes of what an old one did to a text.

    `edits` lead from the lines that the old one found to those that it left; None is all that
    no earlier step took.
    """

    registers: frozenset[int]
    edits: tuple[Edit, ...] | None = None

    def of(self, part: Part) -> Part | None:
        """Return what it takes of a part, whole in its lines; None is nothing."""
        writes = tuple(write for write in part.writes if write.register in self.registers)
        if self.edits == ():
            return Part(part.key, None, writes) if writes else None
        return part._replace(writes=writes)


class Taken(NamedTuple):
    """A change taken apart: its header, the numbers it depends on, and its parts by node."""

    header: Header
    deps: tuple[int, ...]
    parts: dict[Key, Part]


def chains(directories: Iterable[Directory]) -> list[Chain]:
    """Return each directory of a change by its position; the first is the root."""
    found: list[Chain] = [()]
    for parent, name, k in directories:
        found.append((*found[parent], (name, k)))
    return found


def take_apart(repository: Repository, at: int) -> Taken:
    """Return what a change does. Cost: reads and decodes it.

    What names a change that is not stored, which it then names weakly, has no effect and is
    left out.
    """
    change = repository.change(at)
    header, operations = change.header, change.operations
    store = repository.store
    deps = tuple(store.number_of(CHANGE, name) or 0 for name in header.deps)
    weak = tuple(store.number_of(CHANGE, name) or 0 for name in operations.weak)
    where = chains(operations.directories)
    creators = (change.id, *header.deps)
    parts: dict[Key, Part] = {}
    for edit in operations.nodes:
        key: Key
        if edit.node.change == DIRECTORY:
            key = where[edit.node.position]
        else:
            identity = node_id(creators[edit.node.change], edit.node.position)
            key = number(store.row(NODE_ID, identity) or b"")
        parts[key] = _part(key, edit, where, (at, *deps, *weak))
    return Taken(header, deps, parts)


def _part(key: Key, edit: NodeEdit, where: Sequence[Chain], numbers: tuple[int, ...]) -> Part:
    writes = tuple(
        Wrote(register, _held(value, where), tuple(numbers[ref] for ref in replaces))
        for register, value, replaces in edit.writes
    )
    deed = None if edit.text is None else _effective(bind(edit.text, numbers, ()))
    return Part(key, edit.created, writes, deed, edit.content)


def _effective(deed: Deed) -> Deed:
    """Return a deed without what has no effect, for the changes that it names are absent."""
    if all(cancel.deletions for cancel in deed.cancels):
        return deed
    return deed._replace(cancels=tuple(c for c in deed.cancels if c.deletions))


def _held(value: Value, where: Sequence[Chain]) -> Held:
    return At(where[value.parent], value.name) if isinstance(value, Place) else value


def own(part: Part) -> bool:
    """Tell whether a part is of a node that its change creates."""
    return part.created is not None
