"""Deltas, read as Git reads them."""

from hypothesis import given
from hypothesis import strategies as st

from oxy_git.exporter.delta import delta, size

TEXTS = st.lists(st.sampled_from([b"one\n", b"two two\n", b"x" * 90 + b"\n", b""])).map(
    b"".join
)


def applied(base: bytes, told: bytes) -> bytes:
    """Return what a delta makes of its base, by the format that git-pack-format tells."""
    at, lengths, found = 0, [], bytearray()
    for _ in range(2):
        number = shift = 0
        while True:
            byte = told[at]
            at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        lengths.append(number)
    while at < len(told):
        head = told[at]
        at += 1
        if head < 0x80:
            found += told[at : at + head]
            at += head
            continue
        places = [0] * 7
        for place in range(7):
            if head & 1 << place:
                places[place] = told[at]
                at += 1
        start = int.from_bytes(places[:4], "little")
        found += base[start : start + int.from_bytes(places[4:], "little")]
    assert lengths == [len(base), len(found)]
    return bytes(found)


@given(TEXTS, st.binary(max_size=300), st.binary(max_size=300), TEXTS)
def test_a_delta_makes_the_object_of_its_base(
    head: bytes, old: bytes, new: bytes, tail: bytes
) -> None:
    base, data = head + old + tail, head + new + tail
    told = delta(base, data)
    assert told is None or applied(base, told) == data


def test_a_long_text_with_one_edit_takes_few_bytes() -> None:
    lines = [b"line %d\n" % number for number in range(3_000_000)]
    base = b"".join(lines)
    lines[7] = b"another\n"
    data = b"".join(lines)
    told = delta(base, data)
    assert told is not None
    assert len(told) < 60
    assert applied(base, told) == data


def test_what_has_nothing_in_common_is_no_delta() -> None:
    assert delta(b"a\n" * 100, b"b\n" * 100) is None
    assert delta(b"", b"b\n" * 100) is None


def test_sizes_are_written_seven_bits_at_a_time() -> None:
    assert size(0) == b"\0"
    assert size(127) == b"\x7f"
    assert size(300) == b"\xac\x02"
