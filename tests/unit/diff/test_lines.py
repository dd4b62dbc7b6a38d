from zlib import crc32

from hypothesis import given
from hypothesis import strategies as st

from oxy.diff import lines
from oxy.diff.lines import Edit, edits, edits_of_lines, tight
from oxy.diff.window import ListWindow


def text(*names: str) -> bytes:
    return "".join(name + "\n" for name in names).encode()


def test_equal_texts_have_no_edits() -> None:
    assert edits(b"a\nb", b"a\nb") == []
    assert edits(b"", b"") == []


def test_a_text_from_nothing_is_one_insertion() -> None:
    assert edits(b"", b"a\nb\n") == [Edit(0, 0, 0, 2)]
    assert edits(b"a\nb\n", b"") == [Edit(0, 2, 0, 0)]


def test_a_missing_last_line_feed_is_a_difference() -> None:
    assert edits(b"a\nb", b"a\nb\n") == [Edit(1, 1, 1, 1)]
    assert edits(b"a\nb\n", b"a\nb\nc") == [Edit(2, 0, 2, 1)]


def test_a_carriage_return_is_part_of_its_line() -> None:
    assert edits(b"a\r\nb\r\n", b"a\nb\r\n") == [Edit(0, 1, 0, 1)]
    assert edits(b"a\rb\n", b"a\rb\nc\n") == [Edit(1, 0, 1, 1)]


def test_a_common_tail_within_a_line_is_not_common() -> None:
    assert edits(b"x\na\n", b"xa\n") == [Edit(0, 2, 0, 1)]
    assert edits(b"pa", b"qa") == [Edit(0, 1, 0, 1)]


def test_edits_far_apart_stay_apart() -> None:
    middle = [f"line {number}" for number in range(500)]
    old, new = text("a", *middle, "b"), text("c", *middle, "d", "e")
    assert edits(old, new) == [Edit(0, 1, 0, 1), Edit(501, 1, 501, 2)]


def test_a_line_number_counts_the_common_head() -> None:
    head = b"head\n" * 3000
    tail = b"tail\n" * 3000
    assert edits(head + b"a\n" + tail, head + b"b\n" + tail) == [Edit(3000, 1, 3000, 1)]


def test_a_new_function_takes_the_blank_line_before_it() -> None:
    old = text("def a():", "    return 1", "", "def c():", "    return 3")
    new = text("def a():", "    return 1", "", "def b():", "    return 2", "", *CALLS)
    assert edits(old, new) == [Edit(3, 0, 3, 3)]


CALLS = ("def c():", "    return 3")


def test_blank_lines_amid_a_rewritten_block_are_rewritten_too() -> None:
    blanks = [""] * 40
    old = text(*blanks, *"abcde", "", *"fghij")
    new = text(*blanks, *"klmno", "", *"pqrst")
    assert edits(old, new) == [Edit(40, 11, 40, 11)]


def test_a_rare_line_amid_a_rewritten_block_keeps_its_identity() -> None:
    old = text("a", "b", "c", "d", "e", "rare", "f", "g", "h", "i")
    new = text("k", "l", "m", "n", "o", "rare", "p", "q", "r", "s")
    assert edits(old, new) == [Edit(0, 5, 0, 5), Edit(6, 4, 6, 4)]


def test_equal_lines_at_the_borders_of_an_edit_are_kept() -> None:
    old = ListWindow([b"a", b"", b"b", b"c", b"z"], 0, 5)
    new = ListWindow([b"a", b"", b"d", b"c", b"z"], 0, 5)
    assert tight(old, new, Edit(1, 3, 1, 3)) == Edit(2, 1, 2, 1)
    assert tight(old, new, Edit(1, 3, 1, 1)) == Edit(2, 2, 2, 0)
    assert tight(old, new, Edit(2, 2, 3, 1)) == Edit(2, 1, 3, 0)
    assert tight(old, new, Edit(0, 2, 0, 2)) == Edit(2, 0, 2, 0)


def test_split_lines_give_the_same_edits_as_their_text() -> None:
    old, new = ["a", "b", "", "c"], ["a", "x", "", "c", "", "c"]
    found = edits_of_lines(text(*old).split(b"\n"), text(*new).split(b"\n"))
    assert found == edits(text(*old), text(*new))


@given(st.lists(st.sampled_from([b"a", b"b\n", b"\n"])), st.integers(0, 30))
def test_split_lines_may_hold_anything(old: list[bytes], at: int) -> None:
    new = [*old[:at], b"only here", *old[at:]]
    place = min(at, len(old))
    assert edits_of_lines(old, new) == [Edit(place, 0, place, 1)]


def test_a_hundred_thousand_unrelated_lines_are_one_edit() -> None:
    old = b"".join(b"a%d\n" % number for number in range(100_000))
    new = b"".join(b"b%d\n" % number for number in range(100_000))
    assert edits(old, new) == [Edit(0, 100_000, 0, 100_000)]


def test_half_of_one_repeated_line_is_one_deletion() -> None:
    (edit,) = edits(b"x\n" * 200_000, b"x\n" * 100_000)
    assert (edit.old_count, edit.new_count) == (100_000, 0)


def test_results_are_pinned_to_the_number_of_the_rules() -> None:
    """A change of any of these results needs a new number: identities depend on them."""
    found = [
        edits(generated(seed, 400, kinds), generated(seed + 1, 400, kinds))
        for kinds in (3, 40, 400)
        for seed in range(20)
    ]
    past_the_budget = edits(generated(1, 9000, 6000), generated(2, 9000, 6000))
    assert crc32(repr([list(map(tuple, edit)) for edit in found]).encode()) == 178_907_213
    assert crc32(repr(list(map(tuple, past_the_budget))).encode()) == 4_146_573_329
    assert lines.DIFF_RULES == 1


def generated(seed: int, count: int, kinds: int) -> bytes:
    """Return lines from a linear congruential generator, some indented, some blank."""
    names: list[bytes] = []
    for _ in range(count):
        seed = (seed * 1_103_515_245 + 12_345) % (1 << 31)
        name = (seed >> 8) % kinds
        names.append(b" " * (name % 5) + b"%d\n" % name if name % 7 else b"\n")
    return b"".join(names)
