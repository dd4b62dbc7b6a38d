import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oxy.cli.escape import escape


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("plain", "plain"),
        ("a\tb", "a\tb"),
        ("na\u00efve \u6587\u5b57 \U0001f600", "na\u00efve \u6587\u5b57 \U0001f600"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\rb\nc\x00", "a\\x0db\\x0ac\\x00"),
        ("\x7f", "\\x7f"),
        ("\x9b31m", "\\u009b31m"),
        ("a\u202eb\u2066c", "a\\u202eb\\u2066c"),
        ("a\u200bb\ufeffc\u00add", "a\\u200bb\\ufeffc\\u00add"),
        ("\u2028", "\\u2028"),
        ("\U000e0041", "\\U000e0041"),
        (b"caf\xc3\xa9", "caf\u00e9"),
        (b"caf\xe9", "caf\\xe9"),
        ("caf\udce9", "caf\\xe9"),
        ("\ud800", "\\ud800"),
        ("C:\\x1b", "C:\\x1b"),
    ],
)
def test_what_could_deceive_is_shown_escaped(value: str | bytes, shown: str) -> None:
    assert escape(value) == shown


def test_every_character_that_unicode_calls_control_format_or_separator_is_escaped() -> None:
    # Format characters that are visible or belong to a script's own writing stay.
    visible = {*range(0x0600, 0x0606), 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD}
    visible |= {*range(0x13430, 0x13440)}
    missed = [
        f"{code:x}"
        for code in range(0x110000)
        if unicodedata.category(chr(code)) in {"Cc", "Cf", "Zl", "Zp"}
        and escape(chr(code)) == chr(code)
        and code not in visible
        and code != ord("\t")
    ]
    assert missed == []


@given(st.binary())
def test_any_bytes_can_be_shown(data: bytes) -> None:
    shown = escape(data).encode()
    assert not any(byte < 0x20 and byte != 0x09 for byte in shown)


@given(st.text())
def test_any_text_can_be_shown_twice(text: str) -> None:
    assert escape(escape(text)) == escape(text)
