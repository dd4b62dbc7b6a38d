"""The line cases of a merge, each with ids in many orders and changes arriving in many."""

from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from typing import TypeAlias

import pytest

from tests.naive.arrivals import arrivals
from tests.naive.change import NaiveChange, Restore, State
from tests.naive.story import Reading, Story, reading, reads
from tests.naive.text import NaiveText

Side: TypeAlias = tuple[str, ...]

MOST_ORDERS = 120

UNIONS: tuple[tuple[str, str, tuple[Side, ...], str], ...] = (
    ("1", "ABCDE", (("GGGABCDE", "ABCDEGGGABCDE"), ("ABXDE",)), "ABCDEGGGABXDE"),
    ("2", "AB", (("GAB", "ABGAB"), ("AXB",)), "ABGAXB"),
    ("3", "abc", (("Abc",), ("aBc",)), "ABc"),
    ("4", "ab", (("axb",), ("ayb",)), "a{x|y}b"),
    ("4, three sides", "ab", (("axb",), ("ayb",), ("azb",)), "a{x|y|z}b"),
    ("6", "abcd", (("",), ("abxyzcd",)), "{|abxyzcd}"),
    ("7", "abcdef", (("af",), ("abcxzdef", "abcxyzdef")), "a{|bcxyzde}f"),
    ("9", "abc", (("ac",), ("ac",)), "ac"),
    ("10", "12345", (("12ab5", "1ab5"),), "1ab5"),
    ("13", "ab", (("axb",), ("axb",)), "axb"),
    ("19", "mn", (("amnb", "camnbd", "cd"), ("mXn",)), "c{|mXn}d"),
    ("21", "ab", (("axb",), ("Ab",)), "Axb"),
    ("22", "ab", (("axb",), ("aB",)), "axB"),
    ("23", "abcd", (("Pd",), ("aQ",)), "{Pd|aQ}"),
    ("24", "abcd", (("aXd",), ("abycd",)), "a{X|byc}d"),
    ("25", "abc", (("aXc",), ("aXc",)), "aXc"),
    ("29", "abc", (("aXc",), ("ac",)), "a{X|}c"),
    ("30", "ab", (("abx",), ("a",)), "ax"),
    ("31", "abcd", (("ad",), ("abxcd", "axcd")), "a{|xc}d"),
    ("32", "abc", (("ac",), ("aXc", "aYc")), "a{|Y}c"),
    (
        "26",
        "abcdef",
        (("ABcdef",), ("aXYdef",), ("abPQef",), ("abcRSf",), ("abcdTU",)),
        "{ABcdef|aXYdef|abPQef|abcRSf|abcdTU}",
    ),
)


def all_ranks(count: int) -> Iterator[tuple[int, ...]]:
    """Yield orders for the ids of some changes: all of them for up to five."""
    return islice(permutations(range(count)), MOST_ORDERS)


def readings_by_arrival(changes: Sequence[NaiveChange], state: State) -> set[Reading]:
    """Return what a state reads as in stores that the changes reach in different orders."""
    by_key = {change.key: change for change in changes}
    found = set()
    for order in islice(arrivals(by_key), MOST_ORDERS):
        text = NaiveText()
        for key in order:
            text.add(by_key[key])
        found.add(reads(text, state))
    return found


@pytest.mark.parametrize(
    ("base", "sides", "expected"),
    [case[1:] for case in UNIONS],
    ids=[case[0] for case in UNIONS],
)
def test_a_merge_reads_as_listed_with_every_choice_of_ids(
    base: str, sides: tuple[Side, ...], expected: str
) -> None:
    count = 1 + sum(map(len, sides))
    for ranks in all_ranks(count):
        story = Story(base, ranks)
        merged = story.base.union(*(story.fork(*side) for side in sides))
        assert story.reads(merged) == reading(expected)


@pytest.mark.parametrize(
    ("base", "sides", "expected"),
    [case[1:] for case in UNIONS],
    ids=[case[0] for case in UNIONS],
)
def test_a_merge_reads_as_listed_in_every_order_of_arrival(
    base: str, sides: tuple[Side, ...], expected: str
) -> None:
    story = Story(base)
    merged = story.base.union(*(story.fork(*side) for side in sides))
    changes = list(story.text.changes.values())
    assert readings_by_arrival(changes, merged) == {reading(expected)}


def test_the_sides_of_a_conflict_are_listed_by_change_id() -> None:
    for ranks in all_ranks(3):
        story = Story("ab", ranks)
        merged = story.fork("axb") | story.fork("ayb")
        expected = "a{x|y}b" if ranks[1] < ranks[2] else "a{y|x}b"
        assert story.text.show(merged) == expected


def test_case_5_two_orders_for_two_lines_are_one_cyclic_conflict() -> None:
    for ranks in all_ranks(5):
        story = Story("ab", ranks)
        merged = story.fork("axb") | story.fork("ayb")
        both = story.resolve(merged, "axyb") | story.resolve(merged, "ayxb")
        assert story.reads(both) == reading("a{x|y}b")


@pytest.mark.parametrize("wanted", ["axyb", "ayxb", "axb", "ab", "azb"])
def test_case_5_one_resolution_clears_a_cycle_and_unrecording_it_brings_it_back(
    wanted: str,
) -> None:
    story = Story("ab")
    merged = story.fork("axb") | story.fork("ayb")
    both = story.resolve(merged, "axyb") | story.resolve(merged, "ayxb")
    resolved = story.tell(both, wanted)
    assert story.reads(resolved) == reading(wanted)
    gone = story.text.dependents(resolved - both, resolved)
    assert story.reads(resolved - gone) == reading("a{x|y}b")


def test_case_6_a_resolution_gives_deleted_lines_back_under_their_identity() -> None:
    story = Story("abcd")
    merged = story.fork("") | story.fork("abxyzcd")
    resolved = story.tell(merged, "azd")
    assert story.reads(resolved) == reading("azd")
    for letter in "ad":
        assert story.line(resolved, letter) == story.line(story.base, letter)


def test_case_9_a_line_deleted_twice_comes_back_when_both_deletions_go() -> None:
    story = Story("abc")
    one, other = story.fork("ac"), story.fork("ac")
    assert story.reads(one) == story.reads(other) == reading("ac")
    assert story.reads((one | other) - (one - story.base)) == reading("ac")
    assert story.reads((one | other) - (one - story.base) - (other - story.base)) == reading(
        "abc"
    )


def test_case_10_unrecording_and_applying_again_is_the_identity() -> None:
    story = Story("12345")
    first = story.fork("12ab5")
    second = story.tell(first, "1ab5")
    without = second - (first - story.base)
    assert story.reads(without) == reading("1345")
    assert story.reads(without | first) == reading("1ab5")


def reverted(
    story: Story, state: State, restore: Restore, *, also: State = frozenset()
) -> State:
    """Cancel a deletion by a change recorded on a state."""
    change = NaiveChange(
        story.next_key(),
        restores=(restore,),
        dependencies=frozenset({restore.line.change}) | also,
        context=story.text.view(state).heads(),
    )
    story.text.add(change)
    return state | {change.key}


def test_case_12_a_reverted_deletion_leaves_the_line_its_identity() -> None:
    story = Story("abc")
    line = story.line(story.base, "b")
    deleted = story.fork("ac")
    restored = reverted(story, deleted, Restore(line, story.last(story.base, deleted)))
    assert story.reads(restored) == reading("abc")
    assert story.line(restored, "b") == line
    assert story.reads(restored - (restored - deleted)) == reading("ac")


def test_a_restore_against_a_concurrent_second_deletion_is_a_conflict() -> None:
    story = Story("abc")
    line = story.line(story.base, "b")
    deleted, again = story.fork("ac"), story.fork("ac")
    restored = reverted(story, deleted, Restore(line, story.last(story.base, deleted)))
    assert story.reads(restored | again) == reading("a{b|}c")


def test_a_revert_of_a_line_edited_since_is_a_conflict() -> None:
    story = Story("abc")
    replaced = story.fork("aXc")
    edited = story.tell(replaced, "aYc")
    undone = story.tell(replaced, "abc")
    assert story.reads(edited | undone) == reading("a{Y|b}c")


def test_case_13_deleting_a_line_that_both_sides_added_deletes_both() -> None:
    for ranks in all_ranks(4):
        story = Story("ab", ranks)
        merged = story.fork("axb") | story.fork("axb")
        assert len(story.text.view(merged).live) == 4
        deleted = story.tell(merged, "ab")
        assert story.reads(deleted) == reading("ab")
        assert len(story.text.view(deleted).live) == 2


def test_case_18_rounds_of_replacing_a_line_on_both_sides_and_resolving() -> None:
    story = Story("0")
    state = story.base
    for _ in range(8):
        merged = story.tell(state, "x") | story.tell(state, "y")
        assert story.reads(merged) == reading("{x|y}")
        state = story.tell(merged, "z")
        assert story.reads(state) == reading("z")


def test_case_33_a_resolved_order_survives_an_edit_of_one_line() -> None:
    for ranks in all_ranks(5):
        story = Story("ab", ranks)
        merged = story.fork("axb") | story.fork("ayb")
        edited = story.tell(merged, "axyb", "aXyb")
        assert story.reads(edited) == reading("aXyb")


def test_case_34_two_resolutions_that_keep_different_sides_conflict() -> None:
    for ranks in all_ranks(5):
        story = Story("ab", ranks)
        merged = story.fork("axb") | story.fork("ayb")
        both = story.tell(merged, "axb") | story.tell(merged, "ayb")
        assert story.reads(both) == reading("a{x|y}b")


def test_case_35_keeping_all_against_taking_the_deletion_is_a_conflict() -> None:
    for ranks in all_ranks(5):
        story = Story("abcde", ranks)
        merged = story.fork("abxcde") | story.fork("ae")
        both = story.tell(merged, "abxcde") | story.tell(merged, "ae")
        assert story.reads(both) == reading("a{bxcd|}e")


def test_case_36_inserting_after_a_line_that_both_sides_wrote_is_clean() -> None:
    for ranks in all_ranks(4):
        story = Story("abc", ranks)
        merged = story.fork("aXc") | story.fork("aXc")
        assert story.reads(merged) == reading("aXc")
        assert story.reads(story.tell(merged, "aXvc")) == reading("aXvc")


def test_case_37_an_insertion_where_a_line_was_deleted_has_no_order_with_it() -> None:
    story = Story("abc")
    deleted = story.fork("ac")
    inserted = story.tell(deleted, "axc")
    assert story.reads(inserted - (deleted - story.base)) == reading("a{b|x}c")


def test_a_line_that_a_conflict_does_not_show_goes_with_its_resolution() -> None:
    """Two lines read m here; the conflict lists one of them, and taking h must end both."""
    story = Story("m")
    second = story.tell(frozenset(), "m")
    merged = story.fork("lnh", "h") | second
    assert story.reads(merged) == reading("{m|h}")
    assert story.reads(story.tell(merged, "h")) == reading("h")


def test_what_is_put_before_a_line_inside_another_goes_after_that_one_s_text() -> None:
    """Here c comes back with a line inside it that is to follow, so c has not ended yet."""
    story = Story("aac")
    unchanged = story.fork("aac")
    second = story.tell(unchanged - story.base, "x")
    merged = story.fork("aad") | second
    assert story.reads(merged) == reading("{aac|x|aad}")
    for last_first in (False, True):
        key = story.next_key()
        story.text.add(story.text.record(merged, "aacxzd", key, last_first=last_first))
        assert story.reads(merged | {key}) == reading("aacxzd")


def test_a_resolution_decides_the_dead_lines_of_its_region_too() -> None:
    """A line kept on purpose and deleted since is in the region, though no side shows it."""
    story = Story("mfi")
    emptied = story.fork("")
    replaced = story.fork("ee")
    kept = story.tell(emptied | story.fork("fkgfi"), "fkgfionmd", "kgonmd")
    merged = kept | replaced
    assert story.reads(merged) == reading("{kg|ee}onmd")
    assert story.reads(story.tell(merged, "kgeeonaamd")) == reading("kgeeonaamd")
