"""A damaged repository read by its segments alone (spec: store, ST38)."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from oxy.typed import NamedTuple

from oxy.errors import CorruptionError
from oxy.repo.place import Home
from oxy.repo.reindexing import Reindexer
from oxy.repo.repository import Repository, identify
from oxy.store.file import FileStore, rebuild
from oxy.store.scan import Damage

_SEGMENTS = b"segments"


class Survey(NamedTuple):
    """What is whole in some segments, and where these are damaged."""

    repository: Repository
    damaged: list[Damage]


@contextmanager
def surveyed(control: bytes, scratch: bytes) -> Iterator[Survey]:
    """Index the segments of a store elsewhere; nothing is written beside them.

    Args:
        control: the store.
        scratch: a directory that is there and empty, for the index.

    Cost: reads every segment once; an index as large as that of the store.

    Raises:
        SegmentsMissingError: there are none.
    """
    os.symlink(os.path.join(control, _SEGMENTS), os.path.join(scratch, _SEGMENTS))
    damaged = rebuild(scratch, identify, Reindexer())
    store = FileStore.open(scratch, identify, recovers=False)
    try:
        yield Survey(Repository(scratch, store, Home(os.devnull.encode())), damaged)
    finally:
        store.close()


def indexed(control: bytes) -> Repository | None:
    """Open a store by the index that it has, to be read; None where that is unusable.

    It may know of what the segments have lost: how changes were called, and what they touched.
    """
    nowhere = Home(os.devnull.encode())
    with suppress(CorruptionError):
        return Repository(
            os.devnull.encode(), FileStore.open(control, identify, recovers=False), nowhere
        )
    return None
