"""Bring an older repository forward (spec: store, ST31)."""

import os
from oxy.typed import NamedTuple

from oxy.errors import CorruptionError
from oxy.progress import Progress
from oxy.repo.fsck import rebuild
from oxy.repo.place import find_own, home
from oxy.repo.repository import opened
from oxy.store.database import VERSION as INDEX
from oxy.store.database import version_of
from oxy.store.file import DATABASE, FileStore
from oxy.store.repacking import Wanted, oldest_format
from oxy.store.segment import VERSION


class DamagedError(CorruptionError):
    """Something is damaged, so nothing was written anew."""

    def __init__(self, what: str, count: int) -> None:
        others = f", and {count - 1} more" if count > 1 else ""
        super().__init__(f"{what}{others}")
        self.count = count


class Upgraded(NamedTuple):
    """The formats that the index and the segments had, and have."""

    index_before: int
    segments_before: int
    index_now: int
    segments_now: int


def upgrade(start: bytes, progress: Progress) -> Upgraded:
    """Bring the repository at or above a directory forward.

    First the index is made anew from the segments, beside its place, and then the segments are
    written anew beside the old ones. Each is whole before the old one goes, so it can end
    anywhere and be done again.

    Raises:
        NoRepositoryError: there is none.
        FormatTooNewError: it is of a later format.
        DamagedError: something is damaged.
        StoreLockedError: another process is writing.
    """
    root = find_own(start)
    index = version_of(os.path.join(home(root).control, DATABASE))
    if index < INDEX:
        found = rebuild(root)
        if found:
            raise DamagedError(found[0].what, len(found))
    with opened(root) as repository:
        store = repository.store
        segments = oldest_format(os.path.join(repository.control, b"segments"))
        if segments < VERSION and isinstance(store, FileStore):
            with store.writing():
                store.repack(Wanted(1, {}, _nothing, progress))
    return Upgraded(index, segments, INDEX, VERSION)


def _nothing(_writer: object) -> None:
    """Change no rows."""
