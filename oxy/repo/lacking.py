"""What a store lacks of what its rows and changes name (spec: store, ST26; sync, SY29, SY88).

A repository that was cloned with `--lazy` has been promised the blobs that it lacks by the
remote that it came from. Who asks that remote is said by whoever runs the command.
"""

from __future__ import annotations

from oxy.errors import CorruptionError, StateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol, TypeAlias

    from oxy.model.operation import BlobRef
    from oxy.repo.refs import Refs
    from oxy.store.protocol import Store

    class Lazy(Protocol):
        """A repository, as far as it takes part in this."""

        root: bytes
        store: Store
        refs: Refs

    Way: TypeAlias = Callable[[Lazy, Sequence[BlobRef]], None]


class NoNodeError(CorruptionError):
    """A row names a node that the index does not have."""

    def __init__(self, node: int) -> None:
        super().__init__(f"the index has no node number {node}")
        self.node = node


class MissingBlobError(CorruptionError):
    """A change names a blob that is not stored."""

    def __init__(self, ref: BlobRef) -> None:
        super().__init__(f"blob {ref.id.hex()} of {ref.length} bytes is missing")
        self.ref = ref


class LackedError(StateError):
    """A lazy repository lacks a blob that it was promised, and nobody here may ask for it."""

    def __init__(self, ref: BlobRef) -> None:
        super().__init__(
            f"blob {ref.id.hex()} of {ref.length} bytes is not in this lazy repository yet"
        )
        self.ref = ref


_ways: list[Way] = []


def bring_through(way: Way) -> None:
    """Say who brings blobs that a lazy repository lacks, from now on."""
    _ways[:] = [way]


def bring(repository: Lazy, refs: Sequence[BlobRef], *, may_write: bool) -> None:
    """Have those of some blobs brought that a lazy repository does not store.

    Raises:
        LackedError: the repository is only read here, or nobody brings anything.
        NotBroughtError: they could not be had; see `supply`.
    """
    from oxy.store.protocol import BLOB

    there = repository.store.numbers_of(BLOB, [ref.id for ref in refs])
    lacked = list({ref.id: ref for ref in refs if ref.id not in there}.values())
    if not lacked:
        return
    if not may_write or not _ways:
        raise LackedError(lacked[0])
    _ways[-1](repository, lacked)
