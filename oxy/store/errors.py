"""What can go wrong in the store, as leaves of the three roots (spec: store)."""

import os
from oxy.typed import Final

from oxy.errors import CorruptionError, RequestError, StateError
from oxy.store.protocol import BLOB, CHANGE, OPERATION

_KINDS: Final = {CHANGE: "change", BLOB: "blob", OPERATION: "operation"}


def called(kind: int, object_id: bytes) -> str:
    """Return how messages name an object."""
    named = _KINDS.get(kind, f"object of kind {kind}")
    return f"{named} {object_id.hex()}"


class ObjectDamagedError(CorruptionError):
    """An object cannot be read as what its id says it is."""

    def __init__(
        self, kind: int, object_id: bytes, segment: int, offset: int, what: str
    ) -> None:
        super().__init__(
            f"{called(kind, object_id)} in segment {segment} "
            f"at offset {offset} is damaged: {what}"
        )
        self.kind = kind
        self.object_id = object_id
        self.segment = segment
        self.offset = offset
        self.what = what


class FrameDamagedError(CorruptionError):
    """The bytes at a place in a segment are no valid frame."""

    def __init__(self, segment: int, offset: int, what: str) -> None:
        super().__init__(f"segment {segment} at offset {offset} is damaged: {what}")
        self.segment = segment
        self.offset = offset
        self.what = what


class SegmentDamagedError(CorruptionError):
    """A segment as a whole is not what the index or its header says."""

    def __init__(self, segment: int, what: str) -> None:
        super().__init__(f"segment {segment} is damaged: {what}")
        self.segment = segment
        self.what = what


class SegmentsMissingError(CorruptionError):
    """The directory of the segments is not there, and with it all that was recorded."""

    def __init__(self, directory: bytes) -> None:
        super().__init__(
            f"there is no {os.fsdecode(directory)}, which holds all that was recorded"
        )
        self.directory = directory


class DatabaseDamagedError(CorruptionError):
    """The index database is missing, empty, malformed or holds what is not ours."""

    def __init__(self, path: bytes, what: str) -> None:
        super().__init__(f"index database {os.fsdecode(path)} is unusable: {what}")
        self.path = path
        self.what = what


class NumberUnknownError(CorruptionError):
    """Something refers to a number that no object has."""

    def __init__(self, kind: int, number: int) -> None:
        super().__init__(f"no object of kind {kind} has number {number}")
        self.kind = kind
        self.number = number


class FormatTooNewError(StateError):
    """The store was written by a later format than this program reads."""

    def __init__(self, what: str, version: int, known: int) -> None:
        super().__init__(f"{what} has format version {version}; this oxy reads up to {known}")
        self.version = version
        self.known = known


class FormatTooOldError(StateError):
    """The index was written by an earlier format, and is to be brought forward."""

    def __init__(self, what: str, version: int, known: int) -> None:
        super().__init__(f"{what} has format version {version}; this oxy works with {known}")
        self.version = version
        self.known = known


class ObjectGoneError(CorruptionError):
    """An object was removed, because nothing reached it any more."""

    def __init__(self, kind: int, object_id: bytes) -> None:
        super().__init__(f"{called(kind, object_id)} was removed: nothing reached it")
        self.kind = kind
        self.object_id = object_id


class StoreLockedError(StateError):
    """Another process is writing."""

    def __init__(self, holder: int | None, waited: float) -> None:
        who = "another process" if holder is None else f"process {holder}"
        super().__init__(f"the repository is being written by {who} (waited {waited:g} s)")
        self.holder = holder
        self.waited = waited


class StoreBusyError(StateError):
    """Readers or a commit kept the database longer than the waiting time."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"index database {os.fsdecode(path)} is kept busy by others")
        self.path = path


class StoreIOError(StateError):
    """The operating system refused a read, a write or a sync; nothing was kept.

    Attributes:
        errno: the system's number, 0 where only SQLite knows the cause.
    """

    def __init__(self, path: bytes, doing: str, errno: int, why: str) -> None:
        super().__init__(f"cannot {doing} {os.fsdecode(path)}: {why}")
        self.path = path
        self.doing = doing
        self.errno = errno
        self.why = why

    @classmethod
    def of(cls, path: bytes, doing: str, error: OSError) -> "StoreIOError":
        """Return the error that keeps what the system said."""
        return cls(path, doing, error.errno or 0, error.strerror or str(error))


class CommitUncertainError(StateError):
    """A commit failed so late that it may have happened, and may not survive power loss."""

    def __init__(self, path: bytes, why: str) -> None:
        super().__init__(f"commit to {os.fsdecode(path)} failed and may have happened: {why}")
        self.path = path


class StoreExistsError(StateError):
    """A store is created where there is one."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"there is a store in {os.fsdecode(path)} already")
        self.path = path


class TransactionStateError(StateError):
    """A transaction is begun inside another of the same store, or used after its end."""


class ObjectSizeError(RequestError):
    """An object is over the limit, or its pieces do not add up to its stated size."""

    def __init__(self, kind: int, object_id: bytes, size: int, rule: str) -> None:
        super().__init__(f"{called(kind, object_id)}, {size} bytes: {rule}")
        self.kind = kind
        self.object_id = object_id
        self.size = size
        self.rule = rule
