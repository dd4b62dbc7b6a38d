import msgpack
import pytest

from oxy.codec.limits import SIGNATURE
from oxy.codec.signed import SignatureFormError, decode_signature, encode_signature
from oxy.model.digest import ChangeId
from oxy.model.signature import ARMOR_END, ARMOR_START, Signature

ARMOR = ARMOR_START + b"QUJD\n" + ARMOR_END
SIGNED = Signature(ChangeId(b"c" * 32), ARMOR)


def test_a_signature_is_read_as_it_was_written() -> None:
    assert decode_signature(encode_signature(SIGNED)) == SIGNED


@pytest.mark.parametrize(
    ("payload", "rule"),
    [
        (b"", "it promises more than it holds"),
        (bytes(SIGNATURE + 1), f"it is over {SIGNATURE} bytes"),
        (encode_signature(SIGNED) + b"\0", "its bytes do not end with its last item"),
        (msgpack.packb((2, *SIGNED)), "its format is 2; this oxy reads 1: upgrade oxy"),
        (msgpack.packb((1, b"c", ARMOR)), "it names no change, or is not armoured"),
        (msgpack.packb((1, b"c" * 32, b"x")), "it names no change, or is not armoured"),
        (msgpack.packb((1, b"c" * 32)), "a field is missing or has another type"),
        (msgpack.packb((1, "c" * 32, ARMOR)), "a type that is not in use"),
    ],
)
def test_what_is_in_another_form_is_refused(payload: bytes, rule: str) -> None:
    with pytest.raises(SignatureFormError) as caught:
        decode_signature(payload)
    assert caught.value.rule == rule


def test_a_longer_form_of_the_same_is_refused() -> None:
    longer = b"\x93\xcc\x01" + encode_signature(SIGNED)[2:]
    with pytest.raises(SignatureFormError, match="canonical"):
        decode_signature(longer)
