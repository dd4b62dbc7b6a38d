"""Read a repository that is published as files (spec: sync, SY56, SY58, SY59).

Nobody answers there, so the reader finds out what it lacks: of the pages those with a tip that
it has not, of their parcels those with a change that it has not. Every file is proven against
the digest that it is named by while it passes, and what is in it goes through the one door.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from oxy.typed import NoReturn, Protocol

from blake3 import blake3

from oxy.errors import RequestError
from oxy.model.digest import ChangeId
from oxy.store.protocol import BLOB, CHANGE
from oxy.sync import limits
from oxy.sync.endpoint import Holds, Offered
from oxy.sync.errors import LostError, RefusedTransferError
from oxy.sync.frames import Unframer
from oxy.sync.part import Part
from oxy.sync.published import HEADS, Heads, Page, Parcel, decode_heads, decode_page, file_of
from oxy.sync.silent import Held, Silent
from oxy.sync.wish import Taken, Wish


class File(Protocol):
    """A file that is being read."""

    def read(self, size: int) -> bytes:
        """Return at most so many of its bytes, none only at its end; raises LostError."""

    def close(self) -> None:
        """Read no more of it."""


Get = Callable[[str], "File | None"]
"""Opens a file below the place that is read; None where there is none. Raises LostError."""


class OnlyReadError(RequestError):
    """What is published as files is asked to take something."""

    def __init__(self) -> None:
        super().__init__("what is there is only read: it was written by `oxy publish`")


class Shelf(Silent):
    """A Host of which only the names are asked; what is missing, `lacking` finds out."""

    __slots__ = ("_get", "_heads")

    def __init__(self, get: Get, heads: Heads) -> None:
        self._get = get
        self._heads = heads

    def refs(self) -> tuple[Offered, ...]:
        """See Endpoint."""
        return self._heads.names

    def current(self) -> bytes | None:
        """See Host."""
        return self._heads.current or None

    def lacking(self, wanted: Sequence[ChangeId], held: Held) -> Iterator[Part]:
        """See Silent; all that is published counts as wanted.

        Cost: the pages with a tip that is not held, and of them the parcels that are needed.
        """
        del wanted
        for page in self.pages:
            if len(held(CHANGE, page.tips)) == len(page.tips):
                continue
            for parcel in self.parcels(page):
                if _is_needed(parcel, held):
                    yield from self._parts(parcel)

    def shared(self, told: Sequence[ChangeId], held: Held) -> tuple[ChangeId, ...]:
        """Refuse: nothing is pushed there."""
        del told, held
        _refuse()

    @property
    def pages(self) -> tuple[Page, ...]:
        """The pages that are published."""
        return self._heads.pages

    def parcels(self, page: Page) -> tuple[Parcel, ...]:
        """Return what a page lists.

        Raises:
            LostError, RefusedTransferError: it does not come whole, or is another.
        """
        if page.size > limits.MESSAGE:
            rule = f"a page is over {limits.MESSAGE} bytes"
            raise RefusedTransferError(rule)
        with closing(self._opened(page.digest, page.size)) as file:
            data = b"".join(iter(lambda: file.read(limits.PIECE), b""))
        return decode_page(data)

    def _parts(self, parcel: Parcel) -> Iterator[Part]:
        with closing(self._opened(parcel.digest, parcel.size)) as file:
            yield from Unframer(file.read).parts()

    def _opened(self, digest: bytes, size: int) -> "Proven":
        name = file_of(digest)
        found = self._get(name)
        if found is None:
            why = f"{name} is not there; it may have been published anew meanwhile"
            raise LostError(why)
        return Proven(found, name, digest, size)

    def known(self, ids: Sequence[ChangeId]) -> tuple[bool, ...]:
        """Refuse: nobody answers."""
        del ids
        _refuse()

    def waiting(self) -> Sequence[bytes]:
        """See Endpoint."""
        return ()

    def missing(
        self,
        want: Sequence[ChangeId],
        have: Sequence[ChangeId],
        holds: Holds,
        waiting: Sequence[bytes] = (),
    ) -> Iterator[Part]:
        """Refuse: nobody answers."""
        del want, have, holds, waiting
        _refuse()

    def holds(self, blobs: Sequence[bytes]) -> Collection[bytes]:
        """Refuse: nobody answers."""
        del blobs
        _refuse()

    def take(self, wishes: Sequence[Wish], parts: Iterable[Part]) -> Taken:
        """Refuse: nobody answers."""
        del wishes, parts
        _refuse()


def shelf(get: Get) -> Shelf | None:
    """Return what is published at a place; None where nothing is.

    Raises:
        LostError: it does not come.
        RefusedTransferError: it is not what is published.
    """
    file = get(HEADS)
    if file is None:
        return None
    data = b""
    with closing(file):
        while more := file.read(limits.PIECE):
            data += more
            if len(data) > limits.MESSAGE:
                rule = f"{HEADS} is over {limits.MESSAGE} bytes"
                raise RefusedTransferError(rule)
    return Shelf(get, decode_heads(data))


def _is_needed(parcel: Parcel, held: Held) -> bool:
    served, blobs = parcel.served, parcel.blobs
    if len(held(CHANGE, served)) == len(set(served)):
        return False
    return not blobs or len(held(BLOB, blobs)) < len(set(blobs))


def _refuse() -> NoReturn:
    raise OnlyReadError


class Proven:
    """A file whose bytes are proven at its end to be those that it is named by."""

    __slots__ = ("_digest", "_file", "_hasher", "_left", "_name")

    def __init__(self, file: File, name: str, digest: bytes, size: int) -> None:
        self._file = file
        self._name = name
        self._digest = digest
        self._left = size
        self._hasher = blake3()

    def read(self, size: int) -> bytes:
        """Return at most so many bytes, none only at the end, which is proven by then."""
        data = self._file.read(size)
        self._left -= len(data)
        if self._left < 0:
            rule = f"{self._name} is larger than it should be"
            raise RefusedTransferError(rule)
        if not data and size:
            self._end()
        self._hasher.update(data)
        return data

    def _end(self) -> None:
        if self._left:
            why = f"{self._name} ended {self._left} bytes early"
            raise LostError(why)
        if self._hasher.digest() != self._digest:
            rule = f"{self._name} fails its digest"
            raise RefusedTransferError(rule)

    def close(self) -> None:
        """Read no more of it."""
        self._file.close()
