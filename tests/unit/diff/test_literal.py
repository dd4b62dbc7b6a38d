import pytest
from hypothesis import given
from hypothesis import strategies as st

from oxy.diff.literal import LIMIT, LiteralError, decoded, encoded, patched


@given(st.lists(st.binary(max_size=300), max_size=5))
def test_what_is_encoded_decodes(chunks: list[bytes]) -> None:
    data = b"".join(chunks)
    first, *lines, last = encoded(len(data), chunks)
    assert first == b"literal %d" % len(data)
    assert last == b""
    assert all(len(line) <= 66 for line in lines)
    assert decoded(len(data), lines) == data


def test_no_more_is_inflated_than_was_said() -> None:
    _, *lines, _ = encoded(1 << 20, [bytes(1 << 20)])
    with pytest.raises(LiteralError, match="does not inflate to 10 bytes"):
        decoded(10, lines)
    with pytest.raises(LiteralError, match="more than"):
        decoded(LIMIT + 1, lines)


@pytest.mark.parametrize("line", [b"", b"A", b"zabc", b"!00000", b"A00\xff00", b"D{{{{{"])
def test_a_line_that_holds_no_content_is_refused(line: bytes) -> None:
    with pytest.raises(LiteralError):
        decoded(3, [line])


def test_content_that_is_cut_short_is_refused() -> None:
    _, *lines, _ = encoded(200, [bytes(range(200))])
    with pytest.raises(LiteralError):
        decoded(200, lines[:-1])


def test_a_delta_copies_and_inserts() -> None:
    # 5 bytes of old content become 6: two copied from 1 on, then four of its own.
    assert patched(b"abcde", b"\x05\x06\x91\x01\x02\x04WXYZ") == b"bcWXYZ"


@pytest.mark.parametrize(
    "delta",
    [
        b"",
        b"\x05",
        b"\x04\x01\x01x",
        b"\x05\x01\x00",
        b"\x05\x01\x02x",
        b"\x05\x01\x02xy",
        b"\x05\x02\x91\x04\x02",
        b"\x05\x03\x01x",
        b"\x80" * 20,
        b"\x05\x01\x91",
    ],
)
def test_a_damaged_delta_is_refused(delta: bytes) -> None:
    with pytest.raises(LiteralError):
        patched(b"abcde", delta)
