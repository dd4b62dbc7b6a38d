"""Everything that a change names exists (spec: store, ST26; model, M20 to M29)."""

from collections.abc import Iterator

from oxy.codec.decode import decode
from oxy.errors import CorruptionError
from oxy.model.change import Change
from oxy.model.digest import ChangeId, node_id
from oxy.model.operation import DIRECTORY, SELF, BlobRef, NodeEdit
from oxy.progress import Progress
from oxy.repo.check.finding import CHANGE as AREA
from oxy.repo.check.finding import Finding
from oxy.repo.repository import Repository
from oxy.repo.standing import standing
from oxy.repo.tables import NODE_ID, number
from oxy.store.protocol import BLOB, CHANGE


class References:
    """Checks changes one after the other, and remembers which cannot be read.

    Contexts and paths are read through rows, so only where these can be trusted.
    """

    __slots__ = ("_lost", "_repository", "_trusts_rows")

    def __init__(self, repository: Repository, *, trusts_rows: bool) -> None:
        self._repository = repository
        self._trusts_rows = trusts_rows
        self._lost: set[bytes] = set()

    def check(self, progress: Progress) -> Iterator[Finding]:
        """Yield what is wrong with what changes name. Cost: reads every change and blob."""
        store = self._repository.store
        total = store.count(CHANGE)
        for at in range(1, total + 1):
            progress.update(at, total, "changes")
            name = store.id_of(CHANGE, at)
            try:
                change = decode(store.read(CHANGE, at))
            except CorruptionError as error:
                self._lost.add(name)
                yield Finding(AREA, f"change {name.hex()} is lost: {error}", name)
                continue
            for what in (*self._known(change, at), *self._context(change, at)):
                yield Finding(AREA, f"change {name.hex()} {what}", name)
            for edit in change.operations.nodes:
                for what in (*self._node(change, edit), *self._content(edit)):
                    yield Finding(
                        AREA, f"change {name.hex()} {what}", name, self._path(at, edit)
                    )

    def _known(self, change: Change, at: int) -> Iterator[str]:
        header = change.header
        for other in sorted({*header.deps, *header.context.heads, *header.context.absent}):
            found = self._repository.store.number_of(CHANGE, other)
            if found is None:
                yield f"names change {other.hex()}, which is missing"
            elif found >= at:
                yield f"names change {other.hex()}, which came after it"
            elif other in self._lost:
                yield f"needs change {other.hex()}, which is lost"

    def _context(self, change: Change, at: int) -> Iterator[str]:
        if not self._trusts_rows:
            return
        state = self._repository.states.of_change(at)
        for other in change.header.deps:
            found = self._repository.store.number_of(CHANGE, other)
            if found is not None and found not in state:
                yield f"depends on change {other.hex()}, which its context does not have"

    def _node(self, change: Change, edit: NodeEdit) -> Iterator[str]:
        creator, position = edit.node
        if creator in (SELF, DIRECTORY):
            return
        named = change.header.deps[creator - 1]
        if self._repository.store.row(NODE_ID, node_id(named, position)) is None:
            yield f"edits node {position} of change {named.hex()}, which is not there"

    def _content(self, edit: NodeEdit) -> Iterator[str]:
        store = self._repository.store
        held = [edit.content, *(write.value for write in edit.writes)]
        for ref in held:
            if not isinstance(ref, BlobRef):
                continue
            found = store.number_of(BLOB, ref.id)
            if found is None:
                yield f"needs blob {ref.id.hex()}, which is missing"
            elif store.size(BLOB, found) != ref.length:
                yield f"says that blob {ref.id.hex()} has {ref.length} bytes"
            elif ref is edit.content and edit.text is not None:
                yield from self._lines(ref, found, edit.text.lines)

    def _lines(self, ref: BlobRef, blob: int, lines: int) -> Iterator[str]:
        count, last = 0, b""
        try:
            for piece in self._repository.store.chunks(BLOB, blob):
                count += piece.count(b"\n")
                last = piece[-1:]
        except CorruptionError as error:
            yield f"needs blob {ref.id.hex()}, which is lost: {error}"
            return
        if count != lines or last != b"\n":
            yield f"says that blob {ref.id.hex()} has {lines} lines"

    def _path(self, at: int, edit: NodeEdit) -> bytes | None:
        """Return where a node is in the state of a change that edits it, if that is known."""
        if not self._trusts_rows or edit.node.change == DIRECTORY:
            return None
        repository = self._repository
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
