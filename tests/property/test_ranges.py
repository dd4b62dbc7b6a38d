"""A range of lines is read or refused, whatever it is (spec: command-line, L52)."""

from hypothesis import given
from hypothesis import strategies as st

from oxy.cli.ranges import RangeError, parted, resolved

TEXTS = st.one_of(
    st.text(max_size=12),
    st.lists(
        st.sampled_from(["1", "2", "9", "+", "-", ",", "/a/", "/", "(", "\\", ":", "a"]),
        max_size=8,
    ).map("".join),
)
LINES = st.lists(st.sampled_from([b"a", b"b", b"\xff", b""]), max_size=5)


def read(given: str, lines: list[bytes]) -> tuple[int, int] | None:
    """Return what a text means, or None if it is refused."""
    try:
        return resolved(given, lines)
    except RangeError:
        return None


@given(TEXTS, LINES)
def test_a_range_lies_within_the_lines_or_is_refused(text: str, lines: list[bytes]) -> None:
    found = read(text, lines)
    if found is not None:
        assert 1 <= found[0] <= found[1] <= len(lines)


@given(TEXTS, TEXTS)
def test_a_range_and_a_path_make_up_what_was_given(one: str, other: str) -> None:
    given = f"{one}:{other}"
    try:
        wanted, path = parted(given)
    except RangeError:
        return
    assert f"{wanted}:{path}" == given
