"""A repository as somebody may use it (spec: sync, SY30, SY85).

What a name that is not read reaches, and no name that is read does, is as if it were not there:
not told, not sent, and not to be had by pushing what names it.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from pyroaring import BitMap

from oxy.actions.access import Rights, fits
from oxy.actions.hosting import Hosted
from oxy.codec.decode import read_blobs
from oxy.model.digest import BlobId, ChangeId
from oxy.repo.refs import BOOKMARK
from oxy.store.protocol import CHANGE
from oxy.sync.endpoint import Holds, Offered
from oxy.sync.errors import NotStoredError
from oxy.sync.history import history
from oxy.sync.part import Part, pass_over
from oxy.sync.wish import NOT_ALLOWED, Refused, Taken, Wish


class Admitted:
    """A Host behind rights."""

    __slots__ = ("_host", "_rights", "_seen")

    def __init__(self, host: Hosted, rights: Rights) -> None:
        self._host = host
        self._rights = rights
        self._seen: BitMap | None = None

    def refs(self) -> tuple[Offered, ...]:
        """See Endpoint."""
        found = self._host.refs()
        if self._rights.reads_all:
            return found
        seen = self._rights.seen
        return tuple(each for each in found if fits(seen, each.kind, each.name))

    def current(self) -> bytes | None:
        """See Host."""
        found = self._host.current()
        is_told = found is not None and fits(self._rights.seen, BOOKMARK, found)
        return found if is_told else None

    def known(self, ids: Sequence[ChangeId]) -> tuple[bool, ...]:
        """See Endpoint."""
        if self._rights.reads_all:
            return self._host.known(ids)
        numbers = self._host.repository.store.numbers_of(CHANGE, ids)
        seen = self._visible()
        return tuple([numbers.get(name, 0) in seen for name in ids])

    def waiting(self) -> Sequence[bytes]:
        """See Endpoint; of what is hidden nothing is told."""
        return self._host.waiting() if self._rights.reads_all else ()

    def missing(
        self,
        want: Sequence[ChangeId],
        have: Sequence[ChangeId],
        holds: Holds,
        waiting: Sequence[bytes] = (),
    ) -> Iterator[Part]:
        """See Endpoint."""
        for name, is_there in zip(want, self.known(want), strict=True):
            if not is_there:
                raise NotStoredError(name)
        return self._host.missing(want, have, holds, waiting)

    def blobs(self, ids: Sequence[BlobId]) -> Iterator[Part]:
        """See Endpoint. Cost, where not all is read: the changes that are, up to the last."""
        if not self._rights.reads_all:
            ids = self._told(ids)
        return self._host.blobs(ids)

    def _told(self, ids: Sequence[BlobId]) -> Sequence[BlobId]:
        """Return those of some blobs that changes name which may be read."""
        left, found = set(ids), []
        for payload in self._host.repository.store.read_many(CHANGE, self._visible()):
            for ref in read_blobs(payload):
                if ref.id in left:
                    left.discard(ref.id)
                    found.append(ref.id)
            if not left:
                break
        return found

    def holds(self, blobs: Sequence[bytes]) -> Collection[bytes]:
        """See Host; of what is hidden nothing is told."""
        return self._host.holds(blobs) if self._rights.reads_all else ()

    def take(self, wishes: Sequence[Wish], parts: Iterable[Part]) -> Taken:
        """See Host."""
        refused = [
            Refused(wish.kind, wish.name, NOT_ALLOWED)
            for wish in wishes
            if not fits(
                self._rights.delete if wish.goal is None else self._rights.push,
                wish.kind,
                wish.name,
            )
        ]
        if refused or not self._rights.writes:
            pass_over(parts)
            return Taken(0, (), tuple(refused))
        return self._host.take_through(wishes, parts, self._why_hidden)

    def _why_hidden(self, _bookmark: bytes, changes: BitMap) -> int | None:
        """Refuse to let a bookmark take what is hidden; what has no name at all is not."""
        if self._rights.reads_all:
            return None
        repository = self._host.repository
        named = history(
            repository.states,
            repository.store.numbers_of(
                CHANGE, [name for each in self._host.refs() for name in each.heads]
            ).values(),
        )
        return NOT_ALLOWED if changes & (named - self._visible()) else None

    def _visible(self) -> BitMap:
        """Return all that the names that are read reach."""
        if self._seen is None:
            repository = self._host.repository
            ids = [name for each in self.refs() for part in each[2:4] for name in part]
            numbers = repository.store.numbers_of(CHANGE, ids)
            self._seen = history(repository.states, numbers.values())
        return self._seen

    def close(self) -> None:
        """Read no more."""
        self._host.close()
