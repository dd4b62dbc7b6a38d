"""One side of an exchange, and a repository as one (spec: sync, SY1, SY2)."""

from collections.abc import Callable, Iterator, Sequence
from oxy.typed import NamedTuple, Protocol, TypeAlias

from pyroaring import BitMap

from oxy.codec.decode import read_operations
from oxy.codec.inline import contents
from oxy.model.digest import ChangeId
from oxy.model.operation import BlobRef
from oxy.repo.nodes import MissingBlobError
from oxy.repo.refs import BOOKMARK, TAG
from oxy.repo.repository import Repository
from oxy.store.protocol import BLOB, CHANGE
from oxy.sync.errors import NotStoredError
from oxy.sync.history import missing
from oxy.sync.part import BlobPart, ChangePart, Part

Holds: TypeAlias = Callable[[bytes], bool]
"""Tells whether the one who asks has a blob already."""


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

    def missing(
        self, want: Sequence[ChangeId], have: Sequence[ChangeId], holds: Holds
    ) -> Iterator[Part]:
        """Yield what `want` reaches and `have` does not, each object after what it needs.

        A blob comes once, before the first change that names it, unless `holds` says that it
        is there.

        Raises:
            NotStoredError: a change that is wanted is not there.
        """


class Stored:
    """A repository as an endpoint."""

    __slots__ = ("_repository",)

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def refs(self) -> tuple[Offered, ...]:
        """See Endpoint."""
        ids_of = self._repository.store.ids_of
        found = []
        for kind in (BOOKMARK, TAG):
            for name, target in self._repository.refs.all(kind):
                heads, absent = (
                    tuple(sorted(map(ChangeId, ids_of(CHANGE, part)))) for part in target.state
                )
                extra = target.extra if kind == TAG else ()
                found.append(Offered(kind, name, heads, absent, extra))
        return tuple(found)

    def known(self, ids: Sequence[ChangeId]) -> tuple[bool, ...]:
        """See Endpoint."""
        number_of = self._repository.store.number_of
        return tuple([number_of(CHANGE, name) is not None for name in ids])

    def missing(
        self, want: Sequence[ChangeId], have: Sequence[ChangeId], holds: Holds
    ) -> Iterator[Part]:
        """See Endpoint."""
        store, states = self._repository.store, self._repository.states
        wanted = []
        for name in want:
            number = store.number_of(CHANGE, name)
            if number is None:
                raise NotStoredError(name)
            wanted.append(number)
        held = [store.number_of(CHANGE, name) for name in have]
        lacking = missing(states, wanted, [number for number in held if number is not None])
        return parts(self._repository, lacking, holds)


def parts(repository: Repository, changes: BitMap, holds: Holds) -> Iterator[Part]:
    """Yield changes in order of number, and each blob once before the first that names it.

    Cost: reads each change and blob once; memory for one change, and a bit for each blob.

    Raises:
        MissingBlobError: a blob is not stored.
    """
    store, sent = repository.store, BitMap()
    payloads = store.read_many(CHANGE, changes)
    for name, payload in zip(store.ids_of(CHANGE, changes), payloads, strict=True):
        for ref in blobs_of(payload):
            number = store.number_of(BLOB, ref.id)
            if number is None:
                raise MissingBlobError(ref)
            if number not in sent and not holds(ref.id):
                yield BlobPart(ref.id, ref.length, store.chunks(BLOB, number))
            sent.add(number)
        yield ChangePart(ChangeId(name), payload)


def blobs_of(payload: bytes) -> Iterator[BlobRef]:
    """Yield the blobs that a stored change names."""
    for edit in read_operations(payload).nodes:
        for content in contents(edit):
            if isinstance(content, BlobRef):
                yield content


def holds_none(_blob: bytes) -> bool:
    """Say that no blob is there: for who cannot be asked."""
    return False
