"""Histories that arrive, for what receiving costs (spec: sync, SY7)."""

from collections.abc import Sequence

from pyroaring import BitMap

from oxy.progress import Progress
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import CHANGE
from oxy.sync.endpoint import holds_none, parts
from oxy.sync.part import Part
from oxy.sync.receiving import receive
from tests.builders.scribe import File, Scribe

STAMP = Stamp(1, 0, b"bench", b"receive")


class Unwatched:
    """Progress that nobody watches."""

    def update(self, done: int, total: int | None, what: str, size: int = 0) -> None:
        """Say nothing."""


UNWATCHED: Progress = Unwatched()


def one_on_the_other(count: int) -> list[Part]:
    """Return changes of which each edits the line of the one before, in order of need."""
    repository = Repository.in_memory()
    scribe, state = Scribe(repository), Name()
    for at in range(count):
        state = Name((scribe.commit(state, {b"f": File(b"a\n%d\nz\n" % at)}).number,))
    return sent(repository)


def side_by_side(count: int) -> list[Part]:
    """Return a text and changes that each put a line at one place of it, the last one first."""
    repository = Repository.in_memory()
    scribe = Scribe(repository)
    base = Name((scribe.commit(Name(), {b"f": File(b"a\nz\n")}).number,))
    for at in range(1, count):
        scribe.commit(base, {b"f": File(b"a\n%d\nz\n" % at)})
    first, *rest = sent(repository)
    return [first, *reversed(rest)]


def sent(repository: Repository) -> list[Part]:
    """Return all that is in a repository, in order of number."""
    numbers = BitMap(range(1, repository.store.count(CHANGE) + 1))
    return list(parts(repository, numbers, holds_none))


def received(coming: Sequence[Part]) -> int:
    """Take parts into a new repository; return how many changes came."""
    repository = Repository.in_memory()
    with writing(repository, STAMP, "fast") as work:
        return len(receive(repository, work.transaction, coming, UNWATCHED).changes)
