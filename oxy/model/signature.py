"""A signature of a change: an object of its own that names it (spec: model, M40, M50). Pure.

What is signed is a line of text, so that anybody can check a signature with `ssh-keygen` alone.
"""

from oxy.typed import Final, NamedTuple

from blake3 import blake3

from oxy.model.digest import ChangeId

NAMESPACE: Final = "oxy"
"""What a signature is for, as `ssh-keygen -Y` calls it: none made for another use fits."""

ARMOR_START: Final = b"-----BEGIN SSH SIGNATURE-----\n"
ARMOR_END: Final = b"-----END SSH SIGNATURE-----\n"

_OBJECT: Final = b"oxy signature v1"
_TAG: Final = b"oxy tag v1"


class Signature(NamedTuple):
    """A change, and the armoured signature that `ssh-keygen -Y sign` made of its text."""

    change: ChangeId
    armor: bytes


def signature_id(payload: bytes) -> bytes:
    """Return the id of a signature from its encoded form."""
    return blake3(_OBJECT + payload).digest()


def text_of_change(change: ChangeId) -> bytes:
    """Return what is signed of a change, which is its id and so all of it."""
    return b"oxy change %b\n" % change.hex().encode()


def text_of_tag(encoded: bytes) -> bytes:
    """Return what is signed of a tag, given its encoded name, state and fields."""
    return b"oxy tag %b\n" % blake3(_TAG + encoded).hexdigest().encode()


def is_armor(data: bytes) -> bool:
    """Tell whether bytes have the outward form of an armoured signature."""
    return (
        data.startswith(ARMOR_START)
        and data.endswith(b"\n" + ARMOR_END)
        and data.isascii()
        and data.decode("ascii").replace("\n", "").isprintable()
    )
