"""One side of an exchange, and a repository as one (spec: sync, SY1, SY2)."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, islice
from oxy.typed import Final, NamedTuple, Protocol, TypeAlias

from pyroaring import BitMap

from oxy.codec.decode import read_blobs
from oxy.model.digest import BlobId, ChangeId
from oxy.model.operation import BlobRef
from oxy.repo.lacking import MissingBlobError
from oxy.repo.refs import BOOKMARK, TAG
from oxy.repo.repository import Repository
from oxy.repo.signatures import mark, numbers_of
from oxy.store.protocol import BLOB, CHANGE, SIGNATURE, Store, Whole
from oxy.store.record import records_in
from oxy.sync.errors import NotStoredError
from oxy.sync.history import missing
from oxy.sync.part import BlobPart, ChangePart, FramePart, Part, SignaturePart
from oxy.sync.waiting import waiting

Holds: TypeAlias = Callable[[Sequence[bytes]], Collection[bytes]]
"""Tells which of some blobs the one who asks has already."""


SIGNED_FIELD: Final = b"oxy:signed"
"""The field of an offered bookmark that tells which signatures its newest changes have."""

_TOGETHER: Final = 512
"""Blobs that are looked up together."""


class Offered(NamedTuple):
    """A bookmark or a tag of another repository, and the state that it names (S3)."""

    kind: int
    name: bytes
    heads: tuple[ChangeId, ...]
    absent: tuple[ChangeId, ...] = ()
    extra: tuple[tuple[bytes, bytes], ...] = ()


class Endpoint(Protocol):
    """The other side of an exchange, however it is reached.

    Raises:
        RefusedTransferError: in any method: what came is not what an endpoint says.
    """

    def refs(self) -> tuple[Offered, ...]:
        """Return the bookmarks and tags, ascending by kind and name."""

    def known(self, ids: Sequence[ChangeId]) -> tuple[bool, ...]:
        """Tell of each change whether it is there; with it, all that it reaches is."""

    def waiting(self) -> Sequence[bytes]:
        """Return the blobs there that no change names yet, of a transfer that was lost."""

    def missing(
        self,
        want: Sequence[ChangeId],
        have: Sequence[ChangeId],
        holds: Holds,
        waiting: Sequence[bytes] = (),
    ) -> Iterator[Part]:
        """Yield what `want` reaches and `have` does not, each object after what it needs.

        A blob comes once, before the first change that names it, unless `holds` says that it
        is there; `waiting` are such, ascending, for who cannot ask.

        Raises:
            NotStoredError: a change that is wanted is not there.
        """

    def blobs(self, ids: Sequence[BlobId]) -> Iterator[Part]:
        """Yield those of some blobs that are there and that changes there name."""


class Stored:
    """A repository as an endpoint."""

    __slots__ = ("_repository",)

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def refs(self) -> tuple[Offered, ...]:
        """See Endpoint. Cost: a pass over the names, and one query for all that they hold."""
        held = [
            (kind, name, target)
            for kind in (BOOKMARK, TAG)
            for name, target in self._repository.refs.all(kind)
        ]
        named = (chain.from_iterable(target.state) for _, _, target in held)
        numbers = sorted(set(chain.from_iterable(named)))
        found = self._repository.store.ids_of(CHANGE, numbers)
        ids = dict(zip(numbers, map(ChangeId, found), strict=True))
        signed = self._repository.store.count(SIGNATURE) > 0
        offered = []
        for kind, name, target in held:
            heads, absent = (tuple(sorted([ids[at] for at in part])) for part in target.state)
            own = self._signed(target.state.heads) if signed and kind == BOOKMARK else ()
            extra = target.extra if kind == TAG else own
            offered.append(Offered(kind, name, heads, absent, extra))
        return tuple(offered)

    def _signed(self, heads: Sequence[int]) -> tuple[tuple[bytes, bytes], ...]:
        """Return the field that tells which signatures the newest changes have, if any."""
        found = mark(self._repository.store, heads)
        return ((SIGNED_FIELD, found),) if found else ()

    def known(self, ids: Sequence[ChangeId]) -> tuple[bool, ...]:
        """See Endpoint."""
        number_of = self._repository.store.number_of
        return tuple([number_of(CHANGE, name) is not None for name in ids])

    def waiting(self) -> Sequence[bytes]:
        """See Endpoint."""
        return waiting(self._repository.store)

    def missing(
        self,
        want: Sequence[ChangeId],
        have: Sequence[ChangeId],
        holds: Holds,
        waiting: Sequence[bytes] = (),
    ) -> Iterator[Part]:
        """See Endpoint."""
        del waiting
        store, states = self._repository.store, self._repository.states
        wanted = []
        for name in want:
            number = store.number_of(CHANGE, name)
            if number is None:
                raise NotStoredError(name)
            wanted.append(number)
        held = [store.number_of(CHANGE, name) for name in have]
        lacking = missing(states, wanted, [number for number in held if number is not None])
        # Who has a change may lack what somebody signed of it since.
        known = (signatures(store, number) for number in wanted if number not in lacking)
        return chain(parts(self._repository, lacking, holds), chain.from_iterable(known))

    def blobs(self, ids: Sequence[BlobId]) -> Iterator[Part]:
        """See Endpoint. Cost: a query for hundreds, and the blobs."""
        store = self._repository.store
        return stored(store, sorted(store.numbers_of(BLOB, ids).values()))


def parts(repository: Repository, changes: BitMap, holds: Holds) -> Iterator[Part]:
    """Yield changes in order of number, and each blob once before the first that names it.

    Frames of the store whose blobs are all wanted come as they are (SY4).
    Cost: reads each change and blob once; memory for one change, and a bit for each blob.

    A lazy repository has those brought first that it lacks.

    Raises:
        MissingBlobError: a blob is not stored.
        LackedError, NotBroughtError: it is lacked, and cannot be brought.
    """
    store, sent = repository.store, BitMap()
    if repository.is_lazy and holds is not holds_all:
        payloads = store.read_many(CHANGE, changes)
        repository.bring(chain.from_iterable(map(read_blobs, payloads)))
    is_signed = store.count(SIGNATURE) > 0
    payloads = store.read_many(CHANGE, changes)
    for name, payload in zip(store.ids_of(CHANGE, changes), payloads, strict=True):
        wanted = _wanted(store, read_blobs(payload), sent, holds)
        yield from stored(store, wanted)
        yield ChangePart(ChangeId(name), payload)
        if is_signed:
            yield from signatures(store, store.number_of(CHANGE, name) or 0)


def stored(store: Store, blobs: Iterable[int]) -> Iterator[Part]:
    """Yield blobs by their numbers, as frames of the store where that is possible (SY4)."""
    for found in store.wholes(BLOB, blobs):
        if isinstance(found, Whole):
            yield FramePart(found, records_in(found.raw, 0, 0))
        else:
            blob, size = BlobId(store.id_of(BLOB, found)), store.size(BLOB, found)
            yield BlobPart(blob, size, store.chunks(BLOB, found))


def signatures(store: Store, change: int) -> Iterator[SignaturePart]:
    """Yield the signatures of a change."""
    found = numbers_of(store, change)
    names = store.ids_of(SIGNATURE, found)
    for name, payload in zip(names, store.read_many(SIGNATURE, found), strict=True):
        yield SignaturePart(name, payload)


def _wanted(store: Store, refs: Iterator[BlobRef], sent: BitMap, holds: Holds) -> Iterator[int]:
    """Yield the numbers of blobs that were not sent, and that the one who asks lacks."""
    while some := list(islice(refs, _TOGETHER)):
        ids = [ref.id for ref in some]
        numbers = store.numbers_of(BLOB, ids)
        held = holds(ids)
        for ref in some:
            number = numbers.get(ref.id)
            if number is None:
                if ref.id in held:
                    continue
                raise MissingBlobError(ref)
            if number not in sent and ref.id not in held:
                yield number
            sent.add(number)


def holds_all(blobs: Sequence[bytes]) -> Collection[bytes]:
    """Say that every blob is there: for who wants changes alone."""
    return blobs


def holds_none(_blobs: Sequence[bytes]) -> Collection[bytes]:
    """Say that no blob is there: for who cannot be asked."""
    return ()
