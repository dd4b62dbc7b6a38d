"""Identities: BLAKE3 digests and the ids made of them (spec: model, M13 to M15). Pure."""

from oxy.typed import Final, NewType

from blake3 import blake3

ChangeId = NewType("ChangeId", bytes)
NodeId = NewType("NodeId", bytes)
BlobId = NewType("BlobId", bytes)

DIGEST_SIZE: Final = 32

_SHOWN: Final = 6

_CHANGE: Final = b"oxy change v1"
_NODE: Final = b"oxy node v1"
_DIRECTORY: Final = b"oxy dir v1"

ROOT: Final = NodeId(bytes(DIGEST_SIZE))
"""The directory that holds everything; nothing hashes to it."""


def short(name: bytes) -> str:
    """Return the first 12 digits of an id, as it is shown to people."""
    return name[:_SHOWN].hex()


def digest(data: bytes) -> bytes:
    """Return the BLAKE3-256 digest of data, 32 bytes."""
    return blake3(data).digest()


def backend() -> str:
    """Return what makes the digests: the library and its version."""
    from blake3 import __version__

    return f"blake3 {__version__}"


def blob_id(data: bytes) -> BlobId:
    """Return the id of a blob: the digest of its bytes."""
    return BlobId(blake3(data).digest())


def change_id(header: bytes, operations: bytes) -> ChangeId:
    """Return the id of a change from its two encoded parts.

    Each part is hashed alone first, so that a header can be checked without the operations.
    """
    return id_of_digests(blake3(header).digest(), blake3(operations).digest())


def id_of_digests(header: bytes, operations: bytes) -> ChangeId:
    """Return the id of a change from the digests of its two encoded parts."""
    return ChangeId(blake3(_CHANGE + header + operations).digest())


def node_id(change: ChangeId, index: int) -> NodeId:
    """Return the id of the index-th node that a change creates."""
    return NodeId(blake3(_NODE + change + index.to_bytes(4, "big")).digest())


def directory_id(parent: NodeId, name: bytes, k: int) -> NodeId:
    """Return the id of the k-th directory that was ever at (parent, name) (spec: names)."""
    return NodeId(blake3(_DIRECTORY + parent + k.to_bytes(4, "big") + name).digest())
