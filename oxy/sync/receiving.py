"""The one door for what another repository sends (spec: sync, SY6, SY13 to SY15).

Each object is checked whole before it is appended, so not even a crash leaves one that breaks a
rule: what was checked may lie there after it, under no name, and is skipped when it comes again
(ST15). A refusal takes everything back with the transaction.
"""

from collections.abc import Iterable, Sequence
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.codec.decode import FormatError, MalformedError, opened
from oxy.codec.limits import SIGNATURES
from oxy.codec.proving import Passing
from oxy.codec.signed import decode_signature
from oxy.errors import CorruptionError
from oxy.graph.admission import Needs
from oxy.model.change import Change, Header
from oxy.model.digest import BlobId, ChangeId, node_id
from oxy.model.operation import DIRECTORY, SELF, NodeEdit
from oxy.model.signature import signature_id
from oxy.progress import Progress
from oxy.repo.check.places import PlacesCheck
from oxy.repo.indexing import Indexer
from oxy.repo.promised import Promises
from oxy.repo.repository import Repository
from oxy.repo.signatures import add, numbers_of
from oxy.repo.states import Name
from oxy.store.limits import PIECE_SIZE
from oxy.store.protocol import BLOB, CHANGE, SIGNATURE, Transaction
from oxy.store.record import RECORD_HEAD
from oxy.sync import limits
from oxy.sync.check.begun import Begun
from oxy.sync.check.blobs import Blobs
from oxy.sync.check.context import check_context
from oxy.sync.check.facts import Counted, Facts, facts_of
from oxy.sync.check.registers import RegisterCheck
from oxy.sync.check.texts import Known, Named, TextCheck
from oxy.sync.errors import LostError, RefusedObjectError
from oxy.sync.lent import settle
from oxy.sync.measured import measured
from oxy.sync.part import BlobPart, FramePart, Part, SignaturePart
from oxy.sync.waiting import forget_waiting, note_waiting


class Received(NamedTuple):
    """What came: the numbers of the changes that were not there, and how many blobs.

    `lost` is why the rest did not come, where it did not.
    """

    changes: BitMap
    blobs: int
    lost: LostError | None = None


def receive(
    repository: Repository,
    transaction: Transaction,
    parts: Iterable[Part],
    progress: Progress,
    *,
    promised: bool = False,
) -> Received:
    """Take what another repository sent into an open transaction.

    Args:
        repository: where to; it reads what the transaction writes.
        transaction: what all becomes visible with. Where this raises, it is to be rolled back,
            and the repository to forget what it remembers (`writing` does both).
        parts: changes and blobs, each after what it needs.
        progress: told of each object, and how much they are.
        promised: whether blobs that changes name may come later (SY87).

    Cost: linear in what the changes name; memory for one change, and caches of bounded size.

    Where the connection is lost, what came whole may be kept, and the next transfer tells of
    the blobs that no change has named yet.

    Raises:
        RefusedObjectError: an object breaks a rule.
    """
    door = _Door(repository, transaction, promised=promised)
    lost = None
    try:
        for part in measured(parts, progress, "objects received"):
            if isinstance(part, FramePart):
                door.take_frame(part)
            elif isinstance(part, BlobPart):
                door.take_blob(part)
            elif isinstance(part, SignaturePart):
                door.take_signature(part)
            else:
                door.take_change(part.id, part.payload)
    except LostError as error:
        lost = error
    return door.received(lost)


class _Door:
    """One transfer on its way in."""

    __slots__ = (
        "_arrived",
        "_blobs",
        "_count",
        "_indexer",
        "_known",
        "_promises",
        "_repository",
        "_transaction",
        "_unnamed",
    )

    def __init__(
        self, repository: Repository, transaction: Transaction, *, promised: bool
    ) -> None:
        self._promises = Promises(transaction) if promised or repository.is_lazy else None
        self._repository = repository
        self._transaction = transaction
        self._indexer = Indexer(transaction, repository.states)
        self._blobs = Blobs(transaction, self._promises if promised else None)
        self._known = Known(Needs(), Begun())
        self._arrived = BitMap()
        self._count = 0
        self._unnamed = 0

    def received(self, lost: LostError | None) -> Received:
        """Return what came, none of which may be without use if it is all."""
        if lost is None:
            self._require_used()
        if lost is None or self._arrived:
            forget_waiting(self._transaction)
        if lost is not None and self._unnamed:
            note_waiting(self._transaction, self._unnamed)
        return Received(self._arrived, self._count, lost)

    def take_frame(self, part: FramePart) -> None:
        """Take in many blobs, as the frame that they came in where none of them is there."""
        names = [name for _, name, _ in part.records]
        known = self._transaction.numbers_of(BLOB, names)
        is_fit = not known and len(set(names)) == len(names)
        if not is_fit or any(place.size > PIECE_SIZE for _, _, place in part.records):
            for blob in part.blobs():
                self.take_blob(blob)
            return
        raw, add = part.whole.raw, self._blobs.ahead.add
        for _, name, (_, _, slot, size) in part.records:
            start = slot + RECORD_HEAD
            facts = facts_of(name, raw[start : start + size])
            self._settle(BlobId(name), facts)
            add(BlobId(name), facts)
        self._transaction.append_whole(part.whole, part.records)
        self._note_unnamed(len(names))
        self._count += len(names)

    def take_blob(self, part: BlobPart) -> None:
        """Take a blob in, if it is not there."""
        counted = Counted(part)
        if self._transaction.number_of(BLOB, part.id) is None:
            chunks = counted.chunks()
            self._transaction.append_chunks(BLOB, part.id, part.size, chunks)
            self._note_unnamed(1)
            self._count += 1
        # Up to their end the bytes are not proven.
        for _ in counted.chunks() if counted.facts is None else ():
            pass
        if counted.facts is not None:
            self._settle(part.id, counted.facts)
            self._blobs.ahead.add(part.id, counted.facts)

    def _settle(self, name: BlobId, facts: Facts) -> None:
        """Take a blob that was lacked, and came with a later change."""
        if self._promises is not None:
            settle(self._promises, name, facts)

    def _note_unnamed(self, count: int) -> None:
        """Note that blobs came last that no change has named yet."""
        self._unnamed = self._unnamed or self._transaction.count(BLOB) + 1 - count

    def take_signature(self, part: SignaturePart) -> None:
        """Take a signature in, if it is not there; nobody is believed yet for it."""
        name, payload = part
        if signature_id(payload) != name:
            raise RefusedObjectError(SIGNATURE, name, "it has content of another id")
        try:
            signature = decode_signature(payload)
            add(self._transaction, signature)
        except CorruptionError as error:
            raise RefusedObjectError(SIGNATURE, name, str(error)) from error
        at = self._transaction.number_of(CHANGE, signature.change)
        if at is not None and len(numbers_of(self._transaction, at)) > SIGNATURES:
            rule = f"its change has over {SIGNATURES} signatures"
            raise RefusedObjectError(SIGNATURE, name, rule)

    def take_change(self, name: ChangeId, payload: bytes) -> None:
        """Take a change in, if it is not there."""
        try:
            found, proving = opened(payload)
            is_new = self._indexer.number_of(name) is None
            if is_new:
                lines = self._check(name, proving)
            else:
                for edit in proving.edits():
                    self._blobs.pass_over(edit)
            operations = proving.operations()
        except (MalformedError, FormatError) as error:
            raise RefusedObjectError(CHANGE, name, str(error)) from error
        if found != name:
            raise RefusedObjectError(CHANGE, name, "it has content of another id")
        self._require_used()
        self._blobs.settle()
        self._unnamed = 0
        if is_new:
            self._store(Change(name, proving.header, operations), payload, proving.sizes, lines)

    def _check(self, name: ChangeId, proving: Passing) -> Sequence[int]:
        """Check what a change names, and each edit as it passes; return `TextCheck.lines`."""
        repository = self._repository
        named = self._named(name, proving)
        self._obey(name, check_context(repository.states, named.context, named.deps))
        at = self._transaction.count(CHANGE) + 1
        places = PlacesCheck(proving.directories)
        registers = RegisterCheck(repository, proving.directories, named.deps)
        texts = TextCheck(repository, at, named, self._known)
        for edit in proving.edits():
            node = self._node(name, proving.header, edit)
            self._obey(
                name,
                places.check(edit)
                or self._blobs.check(edit)
                or registers.check(edit, node)
                or texts.check(edit, node),
            )
        self._obey(name, places.broken)
        return texts.lines

    def _store(
        self, change: Change, payload: bytes, sizes: Sequence[int], lines: Sequence[int]
    ) -> None:
        at = self._transaction.append(CHANGE, change.id, payload)
        nodes = self._indexer.index(change, at, payload, sizes)
        self._known.begun.note(at, nodes, lines)
        self._repository.nodes.note(at, nodes)
        self._repository.nodes.unload(self._indexer.rebound())
        self._arrived.add(at)
        if len(self._arrived) % limits.RENEWED == 0:
            self._indexer = Indexer(self._transaction, self._repository.states)

    def _node(self, change: ChangeId, header: Header, edit: NodeEdit) -> int | None:
        """Return the number of the node of an edit; None of a new one and of a directory."""
        creator, position = edit.node
        if creator in (SELF, DIRECTORY):
            return None
        named = header.deps[creator - 1]
        node = self._indexer.node_of(node_id(named, position))
        if node is None:
            rule = f"it edits node {position} of change {named.hex()}, which creates no such"
            raise RefusedObjectError(CHANGE, change, rule)
        return node

    def _named(self, change: ChangeId, proving: Passing) -> Named:
        header = proving.header
        heads, absent = (
            tuple(sorted(self._number(change, name) for name in part))
            for part in header.context
        )
        number_of = self._indexer.number_of
        return Named(
            tuple(self._number(change, name) for name in header.deps),
            Name(heads, absent),
            tuple(number_of(name) or 0 for name in proving.weak),
        )

    def _number(self, change: ChangeId, name: ChangeId) -> int:
        found = self._indexer.number_of(name)
        if found is None:
            rule = f"it names change {name.hex()}, which is missing"
            raise RefusedObjectError(CHANGE, change, rule)
        return found

    def _require_used(self) -> None:
        idle = self._blobs.ahead.idle()
        if idle is not None:
            rule = "the change that comes after it does not name it"
            raise RefusedObjectError(BLOB, idle, rule)

    @staticmethod
    def _obey(change: ChangeId, broken: str | None) -> None:
        if broken is not None:
            raise RefusedObjectError(CHANGE, change, broken)
