"""Write a repository as files that any web server can hand out (spec: sync, SY56, SY60).

What is there stays, as far as it is still wanted: the parcels up to the first with a change
that no published name reaches any more, or to where many small ones have gathered. The rest is
written behind them, and then the heads.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from oxy.typed import Final, NamedTuple

from blake3 import blake3
from pyroaring import BitMap

from oxy.errors import CorruptionError
from oxy.model.digest import ChangeId
from oxy.progress import Progress
from oxy.repo.repository import Repository
from oxy.store.protocol import CHANGE
from oxy.sync import limits
from oxy.sync.content import Content
from oxy.sync.endpoint import Offered, holds_none, parts
from oxy.sync.errors import LostError
from oxy.sync.folder import Folder
from oxy.sync.frames import framed
from oxy.sync.history import history
from oxy.sync.published import (
    Heads,
    Page,
    Parcel,
    encode_heads,
    encode_page,
)
from oxy.sync.shelf import shelf

SMALL: Final = 16
"""Parcels below `limits.PARCEL` that stand at the end before they are made one."""


class Published(NamedTuple):
    """What publishing did: changes and files that are new there, and files that went."""

    changes: int
    written: int
    removed: int


def publish(
    repository: Repository,
    folder: Folder,
    names: Sequence[Offered],
    current: bytes,
    progress: Progress,
) -> Published:
    """Let a directory hold what names reach.

    Args:
        repository: what is published.
        folder: where to.
        names: bookmarks and tags, ascending.
        current: the bookmark that a clone goes to; empty: none.
        progress: told of each change.

    Cost: what is new there; the ids of all that is published. Memory: a frame, and those ids.
    """
    tips = [name for each in names for name in (*each.heads, *each.absent)]
    numbers = repository.store.numbers_of(CHANGE, tips).values()
    wanted = history(repository.states, numbers)
    old, listed = _read(folder)
    kept = _kept(repository, folder, listed, wanted)
    there = _numbers(repository, kept)
    work = _Writing(repository, folder)
    work.write(wanted - there, progress)
    pages = list(work.pages([*kept, *work.parcels], old))
    folder.replace_heads(encode_heads(Heads(tuple(names), current, tuple(pages))))
    named = [page.digest for page in pages]
    named += [parcel.digest for parcel in (*kept, *work.parcels)]
    before = _numbers(repository, listed)
    return Published(len(wanted - before), work.written, folder.sweep(named))


def _read(folder: Folder) -> tuple[tuple[Page, ...], list[Parcel]]:
    """Return the pages and parcels that are there; none where they are damaged."""
    try:
        found = shelf(folder.get)
        if found is None:
            return (), []
        return found.pages, [each for page in found.pages for each in found.parcels(page)]
    except (LostError, CorruptionError):
        return (), []


def _kept(
    repository: Repository, folder: Folder, parcels: Sequence[Parcel], wanted: BitMap
) -> list[Parcel]:
    """Return the parcels that stay: those up to the first that does not."""
    kept: list[Parcel] = []
    for parcel in parcels:
        numbers = _numbers(repository, [parcel])
        is_wanted = len(numbers) == len(set(parcel.changes)) and numbers <= wanted
        if not is_wanted or not folder.has(parcel.digest, parcel.size):
            break
        kept.append(parcel)
    small = 0
    while small < len(kept) and kept[-1 - small].size < limits.PARCEL:
        small += 1
    if small >= SMALL:
        del kept[-small:]
    # The blobs at the end of one belong to a change that will stand behind what is written.
    while kept and kept[-1].next:
        kept.pop()
    return kept


def _numbers(repository: Repository, parcels: Iterable[Parcel]) -> BitMap:
    found = BitMap()
    for parcel in parcels:
        found.update(repository.store.numbers_of(CHANGE, parcel.changes).values())
    return found


class _Writing:
    """Writes parcels and pages; `parcels` are those that were written."""

    __slots__ = ("_folder", "_open", "_repository", "parcels", "written")

    def __init__(self, repository: Repository, folder: Folder) -> None:
        self._repository = repository
        self._folder = folder
        self.parcels: list[Parcel] = []
        self.written = 0
        self._open: list[int] = []

    def write(self, changes: BitMap, progress: Progress) -> None:
        """Write parcels with changes, and the blobs that these name."""
        coming = parts(self._repository, changes, holds_none)
        first = next(coming, None)
        done = 0
        while first is not None:
            content = Content()
            pieces = framed(content.filled(chain((first,), coming)))
            self._add(content, *self._folder.keep(pieces))
            done += len(content.changes)
            progress.update(done, len(changes), "changes written")
            first = content.rest

    def _add(self, content: Content, digest: bytes, size: int) -> None:
        changes = tuple(content.changes)
        blobs = () if changes else tuple(content.blobs)
        if changes:
            # Now it is known whose blobs the parcels before this end with.
            for at in self._open:
                self.parcels[at] = self.parcels[at]._replace(next=changes[:1])
            self._open.clear()
        if content.ends_with_blobs:
            self._open.append(len(self.parcels))
        self.parcels.append(Parcel(digest, size, changes, (), blobs))
        self.written += 1

    def pages(self, parcels: Sequence[Parcel], old: Iterable[Page]) -> Iterator[Page]:
        """Write the pages that list parcels, and yield them; what is there stays as it is."""
        known = {page.digest: page for page in old}
        listed: list[Parcel] = []
        ids = 0
        for parcel in parcels:
            listed.append(parcel)
            ids += len(parcel.served) + len(parcel.blobs)
            if ids >= limits.LISTED:
                yield self._page(listed, known)
                listed, ids = [], 0
        if listed:
            yield self._page(listed, known)

    def _page(self, parcels: Sequence[Parcel], known: dict[bytes, Page]) -> Page:
        data = encode_page(tuple(parcels))
        digest = blake3(data).digest()
        page = known.get(digest)
        if page is not None and self._folder.has(digest, page.size):
            return page
        self._folder.keep((data,))
        self.written += 1
        return Page(digest, len(data), _tips(self._repository, parcels))


def _tips(repository: Repository, parcels: Iterable[Parcel]) -> tuple[ChangeId, ...]:
    """Return the changes of parcels that no other of them names."""
    store, states = repository.store, repository.states
    served = [name for parcel in parcels for name in parcel.served]
    numbers = BitMap(store.numbers_of(CHANGE, served).values())
    named = BitMap()
    for number in numbers:
        link = states.link(number)
        named.update((*link.named, *link.context.absent))
    return tuple(sorted(map(ChangeId, store.ids_of(CHANGE, numbers - named))))
