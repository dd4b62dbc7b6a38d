"""One walk through all changes: their form, their rows, what they name (spec: store, ST26).

Each is read and decoded once for everything that looks at it alone.
"""

from collections.abc import Iterator

from pyroaring import BitMap

from oxy.codec.decode import decode_sized, read
from oxy.codec.encode import node_sizes
from oxy.errors import CorruptionError
from oxy.model.change import Change
from oxy.model.operation import DIRECTORY, KIND_TEXT, NodeEdit, TextEdit
from oxy.progress import Progress
from oxy.repo.check.blobs import Blobs
from oxy.repo.check.finding import CHANGE as AREA
from oxy.repo.check.finding import Finding
from oxy.repo.check.needing import needing
from oxy.repo.check.reading import payloads
from oxy.repo.check.references import Lack, References, path_of
from oxy.repo.check.rows import Rows
from oxy.repo.repository import Repository
from oxy.repo.tables import CHANGED, key, unpack_numbers
from oxy.store.protocol import CHANGE


class Changes:
    """The walk; what it found out of the nodes is there once it has ended.

    `are_rows_right` tells whether rows can be trusted. `unproven` are the nodes of which the
    change that created them needs a further look: all but those that are no texts, and texts
    that begin as lines one after the other.
    """

    __slots__ = ("_blobs", "_lacks", "_lost", "_repository", "are_rows_right", "unproven")

    def __init__(self, repository: Repository, blobs: Blobs) -> None:
        self._repository = repository
        self._blobs = blobs
        self._lacks: list[tuple[int, bytes, Lack]] = []
        self._lost = BitMap()
        self.are_rows_right = True
        self.unproven = BitMap()

    def check(self, progress: Progress) -> Iterator[Finding]:
        """Yield what is wrong: rows first, then what changes name, with the files concerned.

        At the end come the names and files that need what is damaged.

        Cost: reads every change once.
        """
        self._walk(rows := Rows(self._repository.store), progress)
        yield from rows.wrong()
        self.are_rows_right = rows.are_right
        for at, name, (what, edit) in self._lacks:
            path = None
            if edit is not None and self.are_rows_right:
                path = path_of(self._repository, at, edit)
            yield Finding(AREA, f"change {name.hex()} {what}", name, path)
        if self.are_rows_right:
            damaged = BitMap([at for at, _, _ in self._lacks])
            yield from needing(self._repository, damaged, self._lost)

    def _walk(self, rows: Rows, progress: Progress) -> None:
        store = self._repository.store
        references = References(store, self._blobs, is_lazy=self._repository.is_lazy)
        total = store.count(CHANGE)
        gone = iter(store.all_gone(CHANGE))
        removed = next(gone, total + 1)
        for at, payload in payloads(store, CHANGE):
            while removed < at:
                rows.skip(removed)
                removed = next(gone, total + 1)
            progress.update(at, total, "changes")
            try:
                if isinstance(payload, CorruptionError):
                    raise payload
                change, sizes = decode_sized(payload)
            except CorruptionError as error:
                references.lose(at)
                self._lost.add(at)
                self._lacks.append((at, store.id_of(CHANGE, at), Lack(f"is lost: {error}")))
                self._index_lost(rows, at, payload)
                self._doubt(at)
                continue
            nodes = rows.index(change, at, payload, sizes)
            states = None if nodes is None else rows.states
            lacks = references.check(change, at, states)
            self._lacks += ((at, change.id, lack) for lack in lacks)
            if nodes is None:
                self._doubt(at)
            else:
                self._begin(change, nodes)
        for last in (removed, *gone) if removed <= total else ():
            rows.skip(last)

    def _index_lost(self, rows: Rows, at: int, payload: bytes | CorruptionError) -> None:
        """Derive the rows of a change that no stranger's could be like."""
        try:
            if isinstance(payload, CorruptionError):
                raise payload
            change = read(payload)
            rows.index(change, at, payload, node_sizes(change.operations))
        except CorruptionError:
            rows.lack(self._repository.store.id_of(CHANGE, at))

    def _doubt(self, at: int) -> None:
        row = self._repository.store.row(CHANGED, key(at))
        self.unproven.update(unpack_numbers(row or b""))

    def _begin(self, change: Change, nodes: tuple[int, ...]) -> None:
        edits = [edit for edit in change.operations.nodes if edit.node.change != DIRECTORY]
        for node, edit in zip(nodes, edits, strict=True):
            if edit.created == KIND_TEXT and not _is_plain(edit):
                self.unproven.add(node)


def _is_plain(edit: NodeEdit) -> bool:
    """Tell whether an edit of a new text puts lines between its start and its end only."""
    text = edit.text
    if text is None or text == TextEdit(text.lines, text.inserts):
        inserts = text.inserts if text is not None else ()
        return all(each.left is None and each.right is None for each in inserts)
    return False
