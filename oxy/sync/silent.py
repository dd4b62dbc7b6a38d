"""A repository where nobody answers: whoever reads finds out what it lacks (spec: SY58)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from oxy.typed import TypeAlias

from oxy.errors import RequestError
from oxy.model.digest import BlobId, ChangeId
from oxy.sync.part import Part

Held: TypeAlias = Callable[[int, Sequence[bytes]], Collection[bytes]]
"""Tells which of some objects of a kind are here."""


class ComesWholeError(RequestError):
    """Blobs alone, or changes without them, are asked for where nobody answers."""

    def __init__(self) -> None:
        super().__init__("what is published as files, or lies in a bucket, comes whole")


class Silent(ABC):
    """What is asked of a Host, where it is only files or objects."""

    __slots__ = ()

    @abstractmethod
    def lacking(self, wanted: Sequence[ChangeId], held: Held) -> Iterator[Part]:
        """Yield what changes reach and is not held, and what lies in one file with it.

        Raises:
            LostError: a file does not come whole.
            RefusedTransferError: one is not what it is named by.
        """

    @abstractmethod
    def shared(self, told: Sequence[ChangeId], held: Held) -> tuple[ChangeId, ...]:
        """Return changes that are there and held, which reach about all that is both."""

    def blobs(self, ids: Sequence[BlobId]) -> Iterator[Part]:
        """Refuse: nobody answers."""
        del ids
        raise ComesWholeError
