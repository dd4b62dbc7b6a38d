from oxy.model.digest import ChangeId
from oxy.model.signature import (
    ARMOR_END,
    ARMOR_START,
    is_armor,
    signature_id,
    text_of_change,
    text_of_tag,
)


def test_the_text_of_a_change_is_a_line_with_its_id() -> None:
    assert text_of_change(ChangeId(bytes(32))) == b"oxy change " + b"00" * 32 + b"\n"


def test_the_text_of_a_tag_differs_where_anything_of_it_does() -> None:
    one, other = text_of_tag(b"a"), text_of_tag(b"b")
    assert one.startswith(b"oxy tag ")
    assert one != other


def test_a_signature_is_named_by_its_bytes() -> None:
    assert signature_id(b"a") != signature_id(b"b")


def test_armour_is_text_between_its_two_lines() -> None:
    assert is_armor(ARMOR_START + b"QUJD\n" + ARMOR_END)
    assert not is_armor(ARMOR_START + b"QUJD" + ARMOR_END)
    assert not is_armor(ARMOR_START + b"\x1b[31m\n" + ARMOR_END)
    assert not is_armor(ARMOR_START + b"\xc3\xa4\n" + ARMOR_END)
    assert not is_armor(b"QUJD\n" + ARMOR_END)
