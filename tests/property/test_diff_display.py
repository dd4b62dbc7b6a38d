"""Laws of what is shown of a diff, and of similarity (spec: diff)."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from oxy.diff.similarity import fingerprint, similarity
from oxy.diff.unified import hunks
from oxy.diff.words import Span, refine

TEXTS = st.one_of(
    st.binary(max_size=80),
    st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"c d\n", b"e"]), max_size=30).map(
        b"".join
    ),
)


@given(TEXTS, TEXTS, st.integers(0, 4))
def test_hunks_read_back_as_both_texts(old: bytes, new: bytes, context: int) -> None:
    sides = {b"-": rebuilt(old, old, new, context, 0), b"+": rebuilt(new, old, new, context, 1)}
    assert sides == {b"-": old, b"+": new}


def rebuilt(text: bytes, old: bytes, new: bytes, context: int, side: int) -> bytes:
    """Put one side together from the hunks and, between them, from the text."""
    lines = text.split(b"\n")
    lines = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    result: list[bytes] = []
    at = 0
    for hunk in hunks(old, new, context):
        start, count = (hunk.old_start, hunk.old_count), (hunk.new_start, hunk.new_count)
        begin, length = (start, count)[side]
        result += lines[at:begin]
        shown = shown_side(hunk.lines, b"-+"[side : side + 1])
        assert len(shown) == length
        result += shown
        at = begin + length
    return b"".join(result + lines[at:])


def shown_side(lines: Sequence[bytes], sign: bytes) -> list[bytes]:
    """Return the lines of a hunk that belong to one side, with their LF."""
    result: list[bytes] = []
    last_counts = False
    for line in lines:
        if line.startswith(b"\\"):
            if last_counts:
                result[-1] = result[-1][:-1]
            continue
        last_counts = line[:1] in {b" ", sign}
        if last_counts:
            result.append(line[1:] + b"\n")
    return result


@given(TEXTS, TEXTS)
def test_outside_the_spans_both_sides_read_the_same(old: bytes, new: bytes) -> None:
    old_spans, new_spans = refine(old, new)
    assert without(old, old_spans) == without(new, new_spans)


def without(text: bytes, spans: Sequence[Span]) -> bytes:
    """Return a text without its spans, which must ascend and not touch."""
    result, at = b"", -1
    for start, end in spans:
        assert at < start < end <= len(text)
        result += text[max(at, 0) : start]
        at = end
    return result + text[max(at, 0) :]


@given(TEXTS, TEXTS)
def test_similarity_is_symmetric_and_within_its_scale(one: bytes, other: bytes) -> None:
    score = similarity(fingerprint(one), fingerprint(other))
    assert score == similarity(fingerprint(other), fingerprint(one))
    assert 0 <= score <= 1000
