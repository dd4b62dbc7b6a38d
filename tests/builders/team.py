"""People with repositories who share a bucket."""

from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE
from oxy.sync.bucket.bucket import Bucket
from oxy.sync.bucket.objects import Objects
from oxy.sync.wish import Taken
from tests.builders.bucket import brought, pushed, wish
from tests.builders.scribe import File, Scribe


def still(_seconds: float) -> None:
    """Wait no time."""


class Desk:
    """Somebody with a repository who uses a bucket."""

    def __init__(self, objects: Objects, name: bytes) -> None:
        self.objects = objects
        self.repository = Repository.in_memory()
        self.scribe = Scribe(self.repository)
        self.name = name
        self.state = Name()
        self.made = 0

    def bucket(self) -> Bucket:
        return Bucket(self.objects, self.repository, still)

    def commit(self, data: bytes | None = None) -> None:
        self.made += 1
        content = self.name + b" %d\n" % self.made if data is None else data
        done = self.scribe.commit(self.state, {self.name + b"%d" % self.made: File(content)})
        self.state = Name((done.number,))

    def push(self, name: bytes = b"main", seen: Name | None = None) -> Taken:
        return pushed(
            self.bucket(), self.repository, wish(self.repository, name, self.state, seen)
        )

    def pull(self) -> int:
        return brought(self.bucket(), self.repository)

    def merge(self, name: bytes = b"main") -> None:
        """Take in a bookmark, and unite it with one's own state."""
        self.pull()
        (found,) = [each for each in self.bucket().refs() if each.name == name]
        numbers = tuple(sorted(self.repository.store.numbers_of(CHANGE, found.heads).values()))
        self.state = self.repository.states.join((self.state, Name(numbers)))
