"""A repository in a store of objects as one that others pull from and push to (spec: SY22).

Nobody answers there. Whoever reads finds out what it lacks; whoever pushes writes its objects,
which nobody sees yet, and then one entry of the log, by which all of it is there. Where another
was faster with that entry, it is read, and what is wished is judged again.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from oxy.typed import Final

from oxy.errors import RequestError
from oxy.model.digest import ChangeId
from oxy.repo.refname import check
from oxy.repo.refs import BOOKMARK
from oxy.repo.repository import Repository
from oxy.repo.signatures import mark
from oxy.store.protocol import CHANGE
from oxy.sync import limits
from oxy.sync.bucket.entry import State as Names
from oxy.sync.bucket.index import Row
from oxy.sync.bucket.kept import Kept
from oxy.sync.bucket.log import Doing, Log, Read
from oxy.sync.bucket.objects import Objects
from oxy.sync.bucket.uploading import ends_in, uploaded
from oxy.sync.bucket.walking import lacking
from oxy.sync.endpoint import SIGNED_FIELD, Holds, Offered
from oxy.sync.errors import LostError
from oxy.sync.frames import Unframer
from oxy.sync.judging import judged
from oxy.sync.names import check_names
from oxy.sync.part import Part
from oxy.sync.silent import Held, Silent
from oxy.sync.wish import MADE, State, Taken, Wish

PAUSE: Final = 0.05
"""Seconds that who was slower waits at most, the first time; twice as long each time after."""

DOUBLINGS: Final = 5
"""How often that doubles."""

_TRIES: Final = 1000


class BusyError(LostError):
    """Others wrote every entry of the log that this push wanted to write."""

    def __init__(self) -> None:
        super().__init__(f"others were faster {_TRIES} times")


class CollectedError(LostError):
    """Something was dropped from the bucket while a push was on its way."""

    def __init__(self) -> None:
        super().__init__("what nothing named was dropped from the bucket meanwhile")


class SlowUploadError(LostError):
    """A push took so long that its objects may be deleted as those of one that was killed."""

    def __init__(self) -> None:
        super().__init__(f"the upload took over {limits.UPLOAD} seconds")


class OnlyReadError(RequestError):
    """Something is to be pushed from nowhere."""

    def __init__(self) -> None:
        super().__init__("a bucket takes only what is in a repository of one's own")


class Bucket(Silent):
    """A bucket as a Host."""

    __slots__ = ("_kept", "_log", "_objects", "_read", "_repository", "_since", "_wait")

    def __init__(
        self,
        objects: Objects,
        repository: Repository | None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Begin to use a bucket.

        Args:
            objects: where it is.
            repository: one's own, from which something is pushed; None where nothing is.
            wait: waits for some seconds.
        """
        self._objects = objects
        self._kept = Kept(objects)
        self._log = Log(objects, self._kept)
        self._repository = repository
        self._wait = wait
        self._read: Read | None = None
        self._since = _clocks()

    def _now(self) -> Read:
        """Return what it held when it was first asked."""
        if self._read is None:
            self._read = self._log.newest()
        return self._read

    def refs(self) -> tuple[Offered, ...]:
        """See Endpoint."""
        return self._now().state.names

    def current(self) -> bytes | None:
        """See Host: no working copy is there."""
        return None

    def known(self, ids: Sequence[ChangeId]) -> tuple[bool, ...]:
        """See Endpoint; only of what names hold it can be told."""
        there = {change for each in self.refs() for change in (*each.heads, *each.absent)}
        return tuple([change in there for change in ids])

    def waiting(self) -> Sequence[bytes]:
        """See Endpoint: nothing waits, for what was cut has no entry."""
        return ()

    def holds(self, blobs: Sequence[bytes]) -> Collection[bytes]:
        """See Host: it cannot be asked."""
        del blobs
        return ()

    def missing(
        self,
        want: Sequence[ChangeId],
        have: Sequence[ChangeId],
        holds: Holds,
        waiting: Sequence[bytes] = (),
    ) -> Iterator[Part]:
        """See Endpoint."""
        del holds, waiting
        held = frozenset(have)
        return self.lacking(want, lambda _, ids: held.intersection(ids))

    def lacking(self, wanted: Sequence[ChangeId], held: Held) -> Iterator[Part]:
        """See Silent."""
        rows = self._now().state.rows
        known = held(CHANGE, wanted)
        beside = [each for each in wanted if each in known]
        found = lacking(self._kept, rows, wanted, lambda ids: held(CHANGE, ids), beside)
        for load in found.loads:
            with closing(self._kept.opened(load)) as file:
                yield from Unframer(file.read).parts()

    def shared(self, told: Sequence[ChangeId], held: Held) -> tuple[ChangeId, ...]:
        """See Silent. Cost: none where all of what is told is held."""
        rows = self._now().state.rows
        return lacking(self._kept, rows, told, lambda ids: held(CHANGE, ids)).stands_on

    def take(self, wishes: Sequence[Wish], parts: Iterable[Part]) -> Taken:
        """See Host.

        Cost: the objects that come, and one for the entry; where others are faster, two more
        for each time.

        Raises:
            SlowUploadError, BusyError, CollectedError: nothing of it is there.
        """
        if self._repository is None:
            raise OnlyReadError
        on = self._now()
        refused = self._judged(self._repository, on.state, wishes)
        if refused.refused:
            return refused
        rows, came = uploaded(self._kept, parts, ends_in(self._repository))
        for turn in range(_TRIES):
            self._require_young()
            taken = self._judged(self._repository, on.state, wishes)
            if taken.refused:
                return taken
            done = self._log.append(on, self._doing(self._repository, wishes, rows))
            if done is not None:
                self._read = done
                return taken._replace(came=came)
            self._pause(turn)
            on = self._again(on)
        raise BusyError

    def _again(self, on: Read) -> Read:
        """Return what it holds now, after somebody else was faster."""
        now = self._log.newer(on)
        if now.collections != on.collections:
            # What was written may stand on what is dropped now.
            raise CollectedError
        return now

    def _require_young(self) -> None:
        """Prove that nothing of this is so old that it may have been deleted meanwhile."""
        if any(
            now - then > limits.UPLOAD for now, then in zip(_clocks(), self._since, strict=True)
        ):
            raise SlowUploadError

    def _pause(self, turn: int) -> None:
        """Wait for a while that is longer each time, and never the same for two."""
        import random

        self._wait(random.uniform(0, PAUSE * 2 ** min(turn, DOUBLINGS)))  # noqa: S311 -- no secret

    def _judged(self, repository: Repository, on: Names, wishes: Sequence[Wish]) -> Taken:
        """Return what becomes of names, as whoever owned them would say (SY48)."""
        taken = judged(repository, on.names, wishes, None)
        for each in taken.moved:
            if each.was == MADE:
                check(each.name, [held.name for held in on.names if held.kind == each.kind])
        return taken

    def _doing(
        self, repository: Repository, wishes: Sequence[Wish], rows: tuple[Row, ...]
    ) -> Doing:
        names = [_offered(repository, each) for each in wishes if each.goal is not None]
        check_names(names)
        gone = tuple([(each.kind, each.name) for each in wishes if each.goal is None])
        return Doing(rows, tuple(names), gone)


def _clocks() -> tuple[float, float]:
    """Return the time by two clocks: one may stand while a machine sleeps, one may be set."""
    return time.monotonic(), time.time()


def _offered(repository: Repository, wish: Wish) -> Offered:
    """Return a name as it is told from now on."""
    goal = wish.goal or State((), ())
    extra = wish.extra
    if wish.kind == BOOKMARK:
        numbers = repository.store.numbers_of(CHANGE, goal.heads).values()
        found = mark(repository.store, numbers)
        extra = ((SIGNED_FIELD, found),) if found else ()
    return Offered(wish.kind, wish.name, goal.heads, goal.absent, extra)
