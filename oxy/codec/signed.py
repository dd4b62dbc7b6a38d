"""Signatures in bytes, in one canonical form (spec: model, M50). Pure."""

from oxy.typed import Final, cast

from oxy.codec.form import byte_string, integer, row
from oxy.codec.limits import SIGNATURE
from oxy.codec.wire import MalformedError, count, pack, unpack
from oxy.errors import CorruptionError
from oxy.model.digest import DIGEST_SIZE, ChangeId
from oxy.model.signature import Signature, is_armor

_FORMAT: Final = 1
_ITEMS: Final = 4
_FORM: Final = row(integer, byte_string, byte_string)


class SignatureFormError(CorruptionError):
    """Bytes that claim to be a signature break a rule of its form."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"not a signature: {rule}")
        self.rule = rule


def encode_signature(signature: Signature) -> bytes:
    """Return the one form of a signature."""
    return pack((_FORMAT, *signature))


def decode_signature(payload: bytes) -> Signature:
    """Return the signature that bytes hold. Cost: bounded by `limits.SIGNATURE`.

    Raises:
        SignatureFormError: they are in no form of one, or not in the canonical one.
    """
    if len(payload) > SIGNATURE:
        rule = f"it is over {SIGNATURE} bytes"
        raise SignatureFormError(rule)
    try:
        count(payload, _ITEMS)
        raw = unpack(payload)
    except MalformedError as error:
        raise SignatureFormError(error.rule) from error
    if not _FORM(raw):
        rule = "a field is missing or has another type"
        raise SignatureFormError(rule)
    version, change, armor = cast("tuple[int, bytes, bytes]", raw)
    if version != _FORMAT:
        rule = f"its format is {version}; this oxy reads {_FORMAT}: upgrade oxy"
        raise SignatureFormError(rule)
    if len(change) != DIGEST_SIZE or not is_armor(armor):
        rule = "it names no change, or is not armoured"
        raise SignatureFormError(rule)
    signature = Signature(ChangeId(change), armor)
    if encode_signature(signature) != payload:
        rule = "it is not in its canonical form"
        raise SignatureFormError(rule)
    return signature
