"""What changes lack of the commits that they were made of (spec: git-bridge, GB25, GB40)."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import msgpack

from oxy.model.change import Header
from oxy.repo.repository import Repository
from oxy.repo.tables import PARTIAL, number
from oxy_git.reader import extra


class Partial(NamedTuple):
    """What a change lacks of its commit; both are empty where only ancestors lack something.

    Attributes:
        parents: the ids of parents that it was not recorded on, as the commit has them.
        files: (path, id of the blob) of files that the Git repository did not have, by path.
    """

    parents: Sequence[bytes] = ()
    files: Sequence[tuple[bytes, bytes]] = ()


NOTHING: Final = Partial()


def pack(partial: Partial) -> bytes:
    """Return the field of a change."""
    packed: bytes = msgpack.packb(partial)
    return packed


def partial_of(header: Header) -> Partial | None:
    """Return what a change lacks; None of one that has all of its commit, and so below."""
    packed = dict(header.extra).get(extra.PARTIAL)
    return None if packed is None else Partial(*msgpack.unpackb(packed, use_list=False))


def partial_changes(repository: Repository) -> set[int]:
    """Return the changes that lack something. Cost: a row for each."""
    return {number(key) for key, _ in repository.store.rows(PARTIAL, b"")}


def lacking(repository: Repository, changes: Collection[int] | None = None) -> set[bytes]:
    """Return the ids of the blobs that changes lack. Cost: the headers of such changes."""
    held = partial_changes(repository) if changes is None else changes
    found = (partial_of(header) for _, header in repository.headers(sorted(held)))
    return {oid for partial in found if partial for _, oid in partial.files}
