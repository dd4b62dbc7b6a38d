"""Laws of the line diff (spec: diff)."""

from collections.abc import Callable, Sequence

from hypothesis import example, given
from hypothesis import strategies as st

from oxy.diff.bounded import changed_keys
from oxy.diff.lines import Edit, edits, edits_of_lines
from oxy.diff.myers import Box, Marks, shortest_edit
from oxy.diff.window import split_lines

LINES = st.sampled_from([b"", b"a", b"b", b"  a", b"\tb", b"{", b"}", b"\r", b"\0", b"unique"])
JOINED = st.builds(
    lambda lines, end: b"\n".join(lines) + end,
    st.lists(LINES, max_size=40),
    st.sampled_from([b"", b"\n", b"x"]),
)
LINE_LISTS = st.lists(LINES, max_size=40)


@st.composite
def edited_pairs(
    draw: Callable[[st.SearchStrategy[list[bytes]]], list[bytes]],
) -> tuple[bytes, bytes]:
    """Draw a text and what a few replacements of slices make of it."""
    old = draw(st.lists(LINES, max_size=200))
    new = list(old)
    for _ in range(3):
        inserted = draw(st.lists(LINES, max_size=5))
        at = (len(inserted) * 37 + len(new) * 11) % (len(new) + 1)
        new[at : at + 2] = inserted
    return b"\n".join(old), b"\n".join(new)


TEXTS = st.one_of(JOINED, st.binary(max_size=60))
PAIRS = st.one_of(st.tuples(TEXTS, TEXTS), edited_pairs())


def applied(old: Sequence[bytes], new: Sequence[bytes], found: Sequence[Edit]) -> list[bytes]:
    """Apply edits to the old lines, taking the inserted ones from the new text."""
    result: list[bytes] = []
    at = 0
    for edit in found:
        result += old[at : edit.old_start]
        assert len(result) == edit.new_start
        result += new[edit.new_start : edit.new_start + edit.new_count]
        at = edit.old_start + edit.old_count
    return result + list(old[at:])


def assert_sound(old: Sequence[bytes], new: Sequence[bytes], found: Sequence[Edit]) -> None:
    """Check that edits are ascending, apart, tight and make new of old."""
    assert applied(old, new, found) == list(new)
    end = -1
    for old_start, old_count, new_start, new_count in found:
        assert old_start > end
        assert old_count + new_count > 0
        end = old_start + old_count
        if old_count and new_count:
            assert old[old_start] != new[new_start]
            assert old[end - 1] != new[new_start + new_count - 1]


@given(PAIRS)
@example((b"a\nb", b"a\nb\n"))
@example((b"\n\n\n", b"\n\n"))
@example((b"x\na\n", b"xa\n"))
@example((b"", b"a"))
def test_edits_applied_to_old_give_new(pair: tuple[bytes, bytes]) -> None:
    old, new = pair
    assert_sound(split_lines(old), split_lines(new), edits(old, new))


@given(LINE_LISTS, LINE_LISTS)
def test_edits_of_lines_applied_to_old_give_new(old: list[bytes], new: list[bytes]) -> None:
    assert_sound(old, new, edits_of_lines(old, new))


@given(TEXTS)
def test_a_text_has_no_edits_against_itself(text: bytes) -> None:
    assert edits(text, text) == []
    assert edits_of_lines(split_lines(text), split_lines(text)) == []


@given(PAIRS, st.binary(max_size=3000))
def test_a_common_tail_never_reaches_an_edit(pair: tuple[bytes, bytes], tail: bytes) -> None:
    old, new = pair[0] + b"\n" + tail, pair[1] + b"\n" + tail
    found = edits(old, new)
    assert_sound(split_lines(old), split_lines(new), found)
    assert edits(bytes(bytearray(old)), bytes(bytearray(new))) == found


KEYS = st.lists(st.integers(0, 4), max_size=25)


@given(KEYS, KEYS)
def test_within_the_budget_an_edit_is_shortest(old: list[int], new: list[int]) -> None:
    marks = Marks()
    assert shortest_edit(old, new, Box(0, len(old), 0, len(new)), marks, 10**6) == []
    kept_old = [key for at, key in enumerate(old) if at not in set(marks.dropped)]
    kept_new = [key for at, key in enumerate(new) if at not in set(marks.added)]
    assert kept_old == kept_new
    assert len(kept_old) == longest_common(old, new)


@given(KEYS, KEYS, st.integers(0, 60))
def test_past_the_budget_what_is_left_is_still_whole(
    old: list[int], new: list[int], budget: int
) -> None:
    marks = Marks()
    for box in shortest_edit(old, new, Box(0, len(old), 0, len(new)), marks, budget):
        marks.replace(box)
    assert len(set(marks.dropped)) == len(marks.dropped)
    assert len(set(marks.added)) == len(marks.added)
    kept_old = [key for at, key in enumerate(old) if at not in set(marks.dropped)]
    kept_new = [key for at, key in enumerate(new) if at not in set(marks.added)]
    assert kept_old == kept_new


@given(KEYS, KEYS)
def test_changed_keys_keep_a_common_subsequence(old: list[int], new: list[int]) -> None:
    marks = changed_keys(old, new)
    kept = len(old) - len(marks.dropped)
    assert kept == len(new) - len(marks.added) == longest_common(old, new)


def longest_common(old: Sequence[int], new: Sequence[int]) -> int:
    """Return the length of a longest common subsequence, by the textbook table."""
    row = [0] * (len(new) + 1)
    for x in old:
        diagonal = 0
        for at, y in enumerate(new):
            above = row[at + 1]
            row[at + 1] = diagonal + 1 if x == y else max(above, row[at])
            diagonal = above
    return row[-1]
