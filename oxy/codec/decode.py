"""Canonical bytes to changes, refusing whatever is not in form (spec: model, encoding). Pure.

`decode` is the door for strangers: it proves types, ranges, order and references, then encodes
again and compares, so that one change has one encoding. `read` is for what has come through it.
"""

from collections.abc import Callable, Iterator
from oxy.typed import TYPE_CHECKING, Final, TypeVar, cast

from oxy.codec import build
from oxy.codec.form import RawHeader, RawNode, RawOperations, proven_header
from oxy.codec.limits import HEADER
from oxy.codec.nodewise import Nodewise
from oxy.codec.wire import FormatError, MalformedError, Raw, count, unpack
from oxy.model.change import Change, Header, Operations
from oxy.model.digest import ChangeId, change_id
from oxy.model.operation import BlobRef, NodeEdit

if TYPE_CHECKING:
    from oxy.codec.proving import Passing

__all__ = [
    "FormatError",
    "MalformedError",
    "decode",
    "decode_header",
    "decode_operations",
    "decode_sized",
    "header_end",
    "identify",
    "opened",
    "parts",
    "read",
    "read_bare_header",
    "read_blobs",
    "read_header",
    "read_node",
    "read_operations",
]

T = TypeVar("T")

FEW: Final = 1 << 16
"""Bytes that cannot hold so many items that these need to be counted before they are made."""

_PREFIX: Final = 4
_UNTRUE: Final = "it does not have the form that it was taken in with"


def header_end(payload: bytes) -> int:
    """Return where the header ends in a payload, of which the first bytes are enough."""
    return _PREFIX + int.from_bytes(payload[:_PREFIX], "big")


def parts(payload: bytes) -> tuple[bytes, bytes]:
    """Split a payload into its header's and its operations' bytes.

    Raises:
        MalformedError: the payload is too short for what it says.
    """
    end = header_end(payload)
    if len(payload) < end:
        rule = "it is shorter than it says"
        raise MalformedError(rule)
    return payload[_PREFIX:end], payload[end:]


def identify(payload: bytes) -> ChangeId:
    """Return the id that a change has by its bytes, whether or not these are in form.

    Raises:
        MalformedError: the payload is too short for what it says.
    """
    return change_id(*parts(payload))


def read_header(payload: bytes) -> Header:
    """Return the header of a payload that this repository checked when it took it in.

    The payload's beginning is enough, as long as it holds the header.

    Raises:
        MalformedError: it cannot be that payload.
    """
    return read_bare_header(parts(payload)[0])


def read_operations(payload: bytes) -> Operations:
    """Return the operations of a payload that this repository checked when it took it in.

    Raises:
        MalformedError: it cannot be that payload.
    """
    return _trusted_operations(parts(payload)[1])


def read_node(data: bytes) -> NodeEdit:
    """Return the edit of one node from its part of a payload that was checked.

    Raises:
        MalformedError: it cannot be that part.
    """
    try:
        return build.node(cast("RawNode", unpack(data)))
    except (TypeError, ValueError, IndexError) as error:
        raise MalformedError(_UNTRUE, str(error)) from error


def read_blobs(payload: bytes) -> Iterator[BlobRef]:
    """Yield the blobs that a payload names which this repository checked when it took it in.

    Cost: memory for one node.

    Raises:
        MalformedError: it cannot be that payload.
    """
    for data in Nodewise(parts(payload)[1], trusted=True):
        try:
            yield from build.blobs(cast("RawNode", unpack(data)))
        except (TypeError, ValueError, IndexError) as error:
            raise MalformedError(_UNTRUE, str(error)) from error


def read(payload: bytes) -> Change:
    """Return the change of a payload that this repository checked when it took it in.

    Raises:
        MalformedError: it cannot be that payload.
    """
    head, body = parts(payload)
    return Change(change_id(head, body), read_bare_header(head), _trusted_operations(body))


def read_bare_header(data: bytes) -> Header:
    """Return the header of its own bytes, which this repository checked.

    Raises:
        MalformedError: they cannot be a header's.
    """
    try:
        return build.header(cast("RawHeader", unpack(data)))
    except (TypeError, ValueError, IndexError) as error:
        raise MalformedError(_UNTRUE, str(error)) from error


def _trusted_operations(data: bytes) -> Operations:
    try:
        return build.operations(cast("RawOperations", unpack(data)))
    except (TypeError, ValueError, IndexError) as error:
        raise MalformedError(_UNTRUE, str(error)) from error


def decode_header(data: bytes) -> Header:
    """Return the header that a stranger's bytes hold, without proving that they are canonical.

    A header alone cannot be compared with an id; it can with the digest of its operations.

    Raises:
        MalformedError: a rule of the encoding is broken.
        FormatError: the header is of a newer format.
    """
    from oxy.codec.shape import check_header

    header = build.header(_proven(data, "header", HEADER, proven_header))
    _obey(check_header(header))
    return header


def decode_operations(header: Header, data: bytes) -> Operations:
    """Return the operations that a stranger's bytes hold.

    Raises:
        MalformedError: a rule of the encoding is broken.
    """
    from oxy.codec.proving import passing

    found = passing(header, data)
    return Operations(found.weak, found.directories, tuple(found.edits()))


def decode(payload: bytes) -> Change:
    """Return the change that a stranger's bytes hold, as `decode_sized`."""
    return decode_sized(payload)[0]


def decode_sized(payload: bytes) -> tuple[Change, list[int]]:
    """Return the change that a stranger's bytes hold, proven canonical and in shape.

    With it comes the encoded size of each node's edit, as `node_sizes` gives it.
    What it names, other changes and blobs, is not looked at: whoever has those checks that the
    lines, nodes and orders that it names are there.
    Cost: memory of about 100 bytes an item, of which a part has at most `limits.ITEMS`.

    Raises:
        MalformedError: a rule of the encoding is broken.
        FormatError: the change is of a newer format.
    """
    name, found = opened(payload)
    nodes = tuple(found.edits())
    operations = Operations(found.weak, found.directories, nodes)
    return Change(name, found.header, operations), list(found.sizes)


def opened(payload: bytes) -> tuple[ChangeId, "Passing"]:
    """Return the id of a stranger's change, and its operations, to be proven as they pass.

    Raises:
        MalformedError, FormatError: as `decode`, where its header is not in form.
    """
    from oxy.codec.encode import header_of
    from oxy.codec.proving import passing

    head, body = parts(payload)
    header = decode_header(head)
    if header_of(header) != head:
        rule = "its encoding is not the canonical one"
        raise MalformedError(rule)
    return change_id(head, body), passing(header, body)


def _proven(data: bytes, part: str, limit: int, proof: Callable[[Raw], T]) -> T:
    """Return what bytes hold, having proven its types.

    Few bytes take little memory whatever they promise, so they are walked only to tell what is
    wrong with them.
    """
    if len(data) > limit:
        rule = f"its {part} are over {limit} bytes"
        raise MalformedError(rule, f"{len(data)}")
    if len(data) > FEW:
        count(data)
    try:
        return proof(unpack(data))
    except MalformedError:
        count(data)
        raise


def _obey(broken: str | None) -> None:
    if broken is not None:
        raise MalformedError(broken)
