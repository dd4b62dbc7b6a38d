"""Changes that a Git repository carries, on their way in (spec: GB49; sync, SY6)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from oxy.codec.decode import FormatError, MalformedError, opened
from oxy.codec.inline import contents
from oxy.model.digest import ChangeId
from oxy.model.operation import BlobRef
from oxy.repo.origin import COMMIT
from oxy.repo.repository import Repository
from oxy.repo.writing import Writing
from oxy.store.protocol import BLOB, CHANGE
from oxy.sync.errors import RefusedObjectError
from oxy.sync.part import BlobPart, ChangePart, Part
from oxy.sync.receiving import receive
from oxy_git.carried.shelf import Shelf


class _Carried(NamedTuple):
    """A change as it lies there, what it names for certain, and the blobs that it names."""

    payload: bytes
    needs: tuple[ChangeId, ...]
    blobs: tuple[BlobRef, ...]


class Taker:
    """Takes changes with what they name.

    Args:
        repository: where to.
        shelf: where from.
    """

    __slots__ = ("_repository", "_shelf", "taken")

    def __init__(self, repository: Repository, shelf: Shelf) -> None:
        self._repository = repository
        self._shelf = shelf
        self.taken = 0

    def take(self, work: Writing, wanted: Sequence[ChangeId]) -> None:
        """Take in changes and what they need; nothing, where something of it is nowhere.

        What a change says that came from Git is not taken: its commit tells what it is.

        Raises:
            RefusedObjectError: an object breaks a rule.
        """
        order = self._ordered(wanted)
        if order:
            parts = self._parts(order)
            received = receive(self._repository, work.transaction, parts, _Unwatched())
            self.taken += len(received.changes)

    def _ordered(self, wanted: Sequence[ChangeId]) -> dict[ChangeId, _Carried]:
        """Return all that is needed, each change after what it needs; nothing if not all is."""
        found: dict[ChangeId, _Carried] = {}
        read: dict[ChangeId, _Carried] = {}
        work = [(name, False) for name in wanted]
        while work:
            name, is_ready = work.pop()
            if is_ready:
                found[name] = read[name]
            elif name not in read and not self._is_here(name):
                carried = self._carried(name)
                if carried is None:
                    return {}
                read[name] = carried
                work.append((name, True))
                work += ((each, False) for each in carried.needs)
        return found

    def _carried(self, name: ChangeId) -> _Carried | None:
        """Return a change that is there, with all blobs that are not here."""
        payload = self._shelf.change(name)
        carried = None if payload is None else _opened(name, payload)
        if carried is None or not all(map(self._is_to_be_had, carried.blobs)):
            return None
        return carried

    def _is_here(self, name: ChangeId) -> bool:
        return self._repository.store.number_of(CHANGE, name) is not None

    def _is_to_be_had(self, ref: BlobRef) -> bool:
        is_here = self._repository.store.number_of(BLOB, ref.id) is not None
        return is_here or self._shelf.blob_size(ref.id) == ref.length

    def _parts(self, order: dict[ChangeId, _Carried]) -> Iterator[Part]:
        store = self._repository.store
        for name, carried in order.items():
            for ref in dict.fromkeys(carried.blobs):
                if store.number_of(BLOB, ref.id) is None:
                    yield BlobPart(ref.id, ref.length, iter((self._shelf.blob(ref.id),)))
            yield ChangePart(name, carried.payload)


class _Unwatched:
    """Progress that is part of another."""

    def update(self, done: int, total: int | None, what: str, size: int = 0) -> None:
        """Say nothing."""


def _opened(name: ChangeId, payload: bytes) -> _Carried | None:
    """Return a change that was read; None if it says that it came from Git.

    Raises:
        RefusedObjectError: it is not in form, or another.
    """
    try:
        found, proving = opened(payload)
        blobs = [
            content
            for edit in proving.edits()
            for content in contents(edit)
            if isinstance(content, BlobRef)
        ]
    except (MalformedError, FormatError) as error:
        raise RefusedObjectError(CHANGE, name, str(error)) from error
    if found != name:
        rule = "it has content of another id"
        raise RefusedObjectError(CHANGE, name, rule)
    header = proving.header
    if COMMIT in dict(header.extra):
        return None
    heads, absent = header.context
    return _Carried(payload, (*header.deps, *heads, *absent), tuple(blobs))
