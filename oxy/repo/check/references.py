"""Everything that a change names exists, and may be so called (spec: ST26, M20 to M29, N22)."""

from collections.abc import Iterator
from oxy.typed import NamedTuple

from oxy.errors import CorruptionError
from oxy.model.change import Change
from oxy.model.digest import ChangeId, node_id
from oxy.model.operation import DIRECTORY, SELF, BlobRef, NodeEdit
from oxy.repo.check.blobs import LOST, UNSEEN, Blobs, Seen, lines_in
from oxy.repo.check.places import PlacesCheck
from oxy.repo.repository import Repository
from oxy.repo.standing import standing
from oxy.repo.states import States
from oxy.repo.tables import NODE_ID, number
from oxy.store.protocol import BLOB, CHANGE, Reader


class Lack(NamedTuple):
    """What a change names and is not there; `edit` is the one that names it, if one does."""

    what: str
    edit: NodeEdit | None = None


class References:
    """Checks changes one after the other, in order of arrival.

    Args:
        store: where they are.
        blobs: what the blobs are like.
        is_lazy: whether blobs that are not there are promised, and no damage (SY87).
    """

    __slots__ = ("_blobs", "_is_lazy", "_lost", "_store")

    def __init__(self, store: Reader, blobs: Blobs, *, is_lazy: bool = False) -> None:
        self._is_lazy = is_lazy
        self._store = store
        self._blobs = blobs
        self._lost: set[int] = set()

    def lose(self, at: int) -> None:
        """Note that a change cannot be read."""
        self._lost.add(at)

    def check(self, change: Change, at: int, indexed: States | None) -> Iterator[Lack]:
        """Yield what is wrong with what a change names.

        Args:
            change: the change.
            at: its number.
            indexed: where the change's rows could be derived, the states that follow from them;
                then all that it names is known to be there.

        Cost: a look-up for each blob, and its bytes where nobody has looked at them.
        """
        if indexed is None:
            yield from map(Lack, self._known(change, at))
        else:
            yield from map(Lack, self._linked(change, at, indexed))
        places = PlacesCheck(change.operations.directories)
        if places.broken is not None:
            yield Lack(f"breaks a rule: {places.broken}")
        for edit in change.operations.nodes:
            broken = None if places.broken is not None else places.check(edit)
            if broken is not None:
                yield Lack(f"breaks a rule: {broken}", edit)
            if indexed is None:
                for what in self._node(change, edit):
                    yield Lack(what, edit)
            for what in self._content(edit):
                yield Lack(what, edit)

    def _linked(self, change: Change, at: int, indexed: States) -> Iterator[str]:
        """Yield what is wrong with changes that are named and all stored."""
        link = indexed.link(at)
        named = {*link.named, *link.context.absent}
        if max(named, default=0) >= at or not self._lost.isdisjoint(named):
            yield from self._known(change, at)
        state = indexed.of_change(at)
        for other, name in zip(link.deps, change.header.deps, strict=True):
            if other not in state:
                yield f"depends on change {name.hex()}, which its context does not have"

    def _known(self, change: Change, at: int) -> Iterator[str]:
        header = change.header
        for other in sorted({*header.deps, *header.context.heads, *header.context.absent}):
            found = self._store.number_of(CHANGE, other)
            if found is None:
                yield f"names change {other.hex()}, which is missing"
            elif found >= at:
                yield f"names change {other.hex()}, which came after it"
            elif found in self._lost:
                yield f"needs change {other.hex()}, which is lost"

    def _node(self, change: Change, edit: NodeEdit) -> Iterator[str]:
        creator, position = edit.node
        if creator in (SELF, DIRECTORY):
            return
        named = change.header.deps[creator - 1]
        if self._store.row(NODE_ID, node_id(named, position)) is None:
            yield f"edits node {position} of change {named.hex()}, which is not there"

    def _content(self, edit: NodeEdit) -> Iterator[str]:
        held = [edit.content, *(write.value for write in edit.writes)]
        for ref in held:
            if not isinstance(ref, BlobRef):
                continue
            found = self._blobs.find(ref.id)
            if found is None:
                if not self._is_lazy:
                    yield f"needs blob {ref.id.hex()}, which is missing"
            elif found.lines == LOST:
                yield f"needs blob {ref.id.hex()}, which is lost"
            elif ref.length != (
                self._store.size(BLOB, found.number) if found.size == UNSEEN else found.size
            ):
                yield f"says that blob {ref.id.hex()} has {ref.length} bytes"
            elif ref is edit.content and edit.text is not None:
                yield from self._lines(ref, found, edit.text.lines)

    def _lines(self, ref: BlobRef, blob: Seen, lines: int) -> Iterator[str]:
        count = blob.lines
        if count == UNSEEN:
            try:
                count = lines_in(self._store.chunks(BLOB, blob.number))
            except CorruptionError as error:
                yield f"needs blob {ref.id.hex()}, which is lost: {error}"
                return
        if count != lines:
            yield f"says that blob {ref.id.hex()} has {lines} lines"


def path_of(repository: Repository, at: int, edit: NodeEdit) -> bytes | None:
    """Return where a node is in the state of a change that edits it, if that is known."""
    if edit.node.change == DIRECTORY:
        return None
    header, name = repository.header(at), repository.store.id_of(CHANGE, at)
    creator, position = edit.node
    named = ChangeId(name) if creator == SELF else header.deps[creator - 1]
    row = repository.store.row(NODE_ID, node_id(named, position))
    return path_at(repository, number(row), at) if row else None


def path_at(repository: Repository, node: int, change: int) -> bytes | None:
    """Return where a node is in the state of a change, if that can be told."""
    try:
        return standing(repository.nodes, node, repository.states.of_change(change)).seen.path
    except CorruptionError:
        return None
