"""Take over each change that is whole, with all that it needs (spec: store, ST38)."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from oxy.typed import Final

from blake3 import blake3
from pyroaring import BitMap

from oxy.codec.decode import opened, read_blobs
from oxy.errors import CorruptionError
from oxy.model.change import Header
from oxy.model.digest import ChangeId
from oxy.model.operation import BlobRef
from oxy.progress import Progress, Unwatched
from oxy.repo.repository import Repository
from oxy.repo.writing import Stamp, writing
from oxy.store.limits import PIECE_SIZE
from oxy.store.protocol import BLOB, CHANGE, Transaction
from oxy.sync.endpoint import parts
from oxy.sync.errors import RefusedObjectError
from oxy.sync.receiving import receive

TOGETHER: Final = 500
"""Changes that share a transaction."""


class Whole:
    """Brings changes from one repository to another, each with its blobs, or not at all.

    What comes is checked as if a stranger had sent it. `lost` are the changes that do not, and
    why: they cannot be read, or something that they need cannot.

    Args:
        source: read by its segments alone.
        target: where to.
    """

    __slots__ = ("_source", "_target", "lost", "sound")

    def __init__(self, source: Repository, target: Repository) -> None:
        self._source = source
        self._target = target
        self.lost: dict[bytes, str] = {}
        self.sound: set[bytes] = set()

    def bring(self, stamp: Stamp, progress: Progress) -> None:
        """Bring all that can be brought. Cost: reads each change and blob twice."""
        store = self._source.store
        total, gone = store.count(CHANGE), set(store.all_gone(CHANGE))
        numbers = iter(number for number in range(1, total + 1) if number not in gone)
        while some := list(islice(numbers, TOGETHER)):
            with writing(self._target, stamp) as work:
                for number in some:
                    progress.update(number, total, "changes")
                    self._decide(work.transaction, number)

    def _decide(self, transaction: Transaction, number: int) -> None:
        """Bring a change after all that it needs, or say why not."""
        store, waiting = self._source.store, [number]
        while waiting:
            name = store.id_of(CHANGE, waiting[-1])
            if self._is_decided(name):
                waiting.pop()
                continue
            try:
                payload = store.read(CHANGE, waiting[-1])
                header = opened(payload)[1].header
            except CorruptionError as error:
                self.lost[name] = f"cannot be read: {error}"
                continue
            found = (store.number_of(CHANGE, each) for each in self._undecided(header))
            before = [each for each in found if each is not None]
            if before:
                waiting += before
            else:
                self._bring_one(transaction, ChangeId(name), header, payload)

    def _is_decided(self, name: bytes) -> bool:
        return name in self.sound or name in self.lost

    def _undecided(self, header: Header) -> Iterator[ChangeId]:
        return (name for name in _named(header) if not self._is_decided(name))

    def _bring_one(
        self, transaction: Transaction, name: ChangeId, header: Header, payload: bytes
    ) -> None:
        lacking = self._lacking(header, payload)
        if lacking is None:
            number = self._source.store.number_of(CHANGE, name) or 0
            holds = partial(transaction.numbers_of, BLOB)
            try:
                coming = parts(self._source, BitMap([number]), holds)
                receive(self._target, transaction, coming, Unwatched())
            except RefusedObjectError as error:
                lacking = f"breaks a rule: {error.rule}"
                self._target.forget()
        if lacking is None:
            self.sound.add(name)
        else:
            self.lost[name] = lacking

    def _lacking(self, header: Header, payload: bytes) -> str | None:
        """Return what a change needs and cannot have, if there is something."""
        for name in _named(header):
            if name not in self.sound:
                return f"needs change {name.hex()}, which is lost"
        for ref in read_blobs(payload):
            if not self._is_whole(ref):
                return f"needs blob {ref.id.hex()}, which is lost"
        return None

    def _is_whole(self, ref: BlobRef) -> bool:
        """Tell whether a blob can be read to its end; what is taken over must not break off."""
        store = self._source.store
        number = store.number_of(BLOB, ref.id)
        if number is None:
            return False
        if ref.length <= PIECE_SIZE or self._target.store.number_of(BLOB, ref.id) is not None:
            return True
        hasher = blake3()
        try:
            for piece in store.chunks(BLOB, number):
                hasher.update(piece)
        except CorruptionError:
            return False
        return hasher.digest() == ref.id


def _named(header: Header) -> tuple[ChangeId, ...]:
    """Return what a change names for certain."""
    return (*header.deps, *header.context.heads, *header.context.absent)
