"""A store of objects in memory that counts what is asked of it, and how it is used."""

from collections.abc import Callable, Iterator
from io import BytesIO

from oxy.model.digest import ChangeId
from oxy.repo.refs import BOOKMARK
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE
from oxy.sync.bucket.bucket import Bucket
from oxy.sync.bucket.objects import Listed
from oxy.sync.endpoint import Offered, Stored
from oxy.sync.rounds import common
from oxy.sync.shelf import File
from oxy.sync.wish import State, Taken, Wish
from tests.builders.exchange import taken

PAGE = 1000
"""Names that one answer lists."""


class Shelved:
    """Objects in memory.

    `asked` are the requests, as (what, name); `moved` is how many bytes went either way; `now`
    is the store's clock; `before` is called ahead of each request, and may raise.
    """

    def __init__(self) -> None:
        self.held: dict[str, tuple[bytes, float]] = {}
        self.now = 0.0
        self.asked: list[tuple[str, str]] = []
        self.moved = 0
        self.before: Callable[[str, str], None] = lambda _what, _name: None

    def _ask(self, what: str, name: str) -> None:
        self.before(what, name)
        self.asked.append((what, name))

    def open(self, name: str) -> File | None:
        self._ask("get", name)
        found = self.held.get(name)
        if found is None:
            return None
        self.moved += len(found[0])
        return BytesIO(found[0])

    def create(self, name: str, file: File, size: int) -> bool:
        self._ask("create", name)
        data = file.read(size + 1)
        assert len(data) == size
        self.moved += size
        if name in self.held:
            return False
        self.held[name] = (data, self.now)
        return True

    def replace(self, name: str, data: bytes) -> None:
        self._ask("replace", name)
        self.moved += len(data)
        self.held[name] = (data, self.now)

    def names(self, under: str, after: str = "") -> Iterator[Listed]:
        found = sorted(
            name for name in self.held if name.startswith(under + "/") and name > after
        )
        for at in range(0, max(len(found), 1), PAGE):
            self._ask("list", under)
            # About what a row of an answer of S3 takes.
            self.moved += 280 * len(found[at : at + PAGE])
            for name in found[at : at + PAGE]:
                data, written = self.held[name]
                yield Listed(name, len(data), written)

    def delete(self, name: str) -> None:
        self._ask("delete", name)
        self.held.pop(name, None)

    def written(self, name: str) -> float | None:
        self._ask("head", name)
        return self.held[name][1] if name in self.held else None


def changes_of(repository: Repository, state: Name) -> State:
    """Return a state by ids."""
    heads, absent = (
        tuple(sorted(map(ChangeId, repository.store.ids_of(CHANGE, part)))) for part in state
    )
    return State(heads, absent)


def wish(repository: Repository, name: bytes, goal: Name | None, seen: Name | None) -> Wish:
    """Return the wish that a bookmark holds a state."""
    return Wish(
        BOOKMARK,
        name,
        None if goal is None else changes_of(repository, goal),
        None if seen is None else changes_of(repository, seen),
    )


def pushed(bucket: Bucket, repository: Repository, *wishes: Wish) -> Taken:
    """Push as the action does."""
    told = {change for each in bucket.refs() for change in each.heads}
    want = {change for each in wishes if each.goal for part in each.goal for change in part}
    have = common(repository, bucket, told)
    parts = Stored(repository).missing(sorted(want), have, bucket.holds)
    return bucket.take(sorted(wishes), parts)


def brought(bucket: Bucket, repository: Repository, *names: bytes) -> int:
    """Take in what a bucket has of some bookmarks, or of all; return how many changes came."""
    refs: tuple[Offered, ...] = bucket.refs()
    wanted = {
        change
        for each in refs
        if not names or each.name in names
        for change in (*each.heads, *each.absent)
    }
    held = repository.store.numbers_of(CHANGE, wanted)
    lacking = sorted(change for change in wanted if change not in held)
    if not lacking:
        return 0
    received = taken(repository, bucket.lacking(lacking, repository.store.numbers_of))
    if received.lost is not None:
        raise received.lost
    return len(received.changes)
