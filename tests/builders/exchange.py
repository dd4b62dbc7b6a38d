"""Repositories that exchange what they hold, in memory."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from io import BytesIO

from oxy.model.digest import ChangeId
from oxy.repo.refs import HERE, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import BLOB, CHANGE
from oxy.sync.endpoint import Holds, Stored, holds_none
from oxy.sync.frames import Unframer, framed
from oxy.sync.part import BlobPart, FramePart, Part, Single
from oxy.sync.receiving import Received, receive
from oxy.sync.taking import take
from oxy.sync.wish import Taken, Wish

STAMP = Stamp(1, 0, b"bob", b"pull")


class Silent:
    """Progress that nobody watches."""

    def update(self, done: int, total: int | None, what: str, _size: int = 0) -> None:
        assert total is None or 0 <= done <= total, what


class Open(Stored):
    """A repository as a host, with nothing around it."""

    def __init__(self, repository: Repository) -> None:
        super().__init__(repository)
        self.repository = repository

    def current(self) -> bytes | None:
        here = self.repository.refs.get(HERE)
        return here.bookmark if here else None

    def holds(self, blobs: Sequence[bytes]) -> Collection[bytes]:
        return self.repository.store.numbers_of(BLOB, blobs)

    def take(self, wishes: Sequence[Wish], parts: Iterable[Part]) -> Taken:
        return take(self.repository, STAMP, wishes, parts, Silent())


def taken(repository: Repository, parts: Iterable[Part]) -> Received:
    """Receive parts in a transaction of their own."""
    with writing(repository, STAMP, "fast") as work:
        return receive(repository, work.transaction, parts, Silent())


def ids(repository: Repository, numbers: Iterable[int]) -> tuple[bytes, ...]:
    return tuple(sorted(repository.store.ids_of(CHANGE, numbers)))


def sent(
    source: Repository,
    target: Repository,
    want: Iterable[int],
    holds: Holds = holds_none,
) -> Received:
    """Send changes of the source, and what they reach, to a target that lacks them."""
    store = source.store
    wanted = [ChangeId(store.id_of(CHANGE, number)) for number in want]
    held = [
        ChangeId(name)
        for name in store.ids_of(CHANGE, range(1, store.count(CHANGE) + 1))
        if target.store.number_of(CHANGE, name) is not None
    ]
    data = b"".join(framed(Stored(source).missing(wanted, held, holds)))
    return taken(target, Unframer(BytesIO(data).read).parts())


def translated(source: Repository, target: Repository, name: Name) -> Name:
    """Return a state's name in the numbers of another repository that has its changes."""
    heads, absent = (
        tuple(sorted(target.store.number_of(CHANGE, each) or 0 for each in ids(source, part)))
        for part in name
    )
    return Name(heads, absent)


def moved(repository: Repository, ref: Ref, name: Name) -> None:
    with writing(repository, STAMP, "fast") as work:
        work.move(ref, Target(name))


def singly(parts: Iterable[Part]) -> Iterator[Single]:
    """Yield the parts, and those of frames one by one."""
    for part in parts:
        if isinstance(part, FramePart):
            yield from part.blobs()
        else:
            yield part


def listed(parts: Iterable[Part]) -> list[tuple[bytes, bytes]]:
    """Return (id, bytes) of each part."""
    return [
        (part.id, b"".join(part.chunks) if isinstance(part, BlobPart) else part.payload)
        for part in singly(parts)
    ]
