import pytest

from oxy.diff.lines import Edit
from oxy.worktree.marked import Marked, mark
from oxy.worktree.markers import Side, Sided
from oxy.worktree.unmarked import MarkersLeftError, Untouched, read_back, read_whole


def conflict(*texts: bytes) -> tuple[bytes, Sided]:
    """Return a conflict of sides, the base of which is b, and their lines in a row."""
    sides = [Side(b"side %d" % number, text) for number, text in enumerate(texts)]
    return b"".join(texts), Sided(sides, b"b\n")


def made(*parts: bytes | tuple[bytes, Sided], final_lf: int = 1) -> Marked:
    """Return a text of plain pieces and conflicts in turn."""
    plain = [part for part in parts if isinstance(part, bytes)]
    others = [part for part in parts if not isinstance(part, bytes)]
    return mark(plain, [flat for flat, _ in others], [sided for _, sided in others], final_lf)


ONE = conflict(b"x\n", b"y\n")
TWO = conflict(b"u\n", b"")


def test_an_untouched_conflict_is_left_alone_while_others_lines_are_edited() -> None:
    text = made(b"a\nb\n", ONE, b"c\n")
    found = read_back(text, text.text().replace(b"a\n", b"A\nB\n").replace(b"c\n", b""))
    assert found.untouched == (Untouched(0, 3),)
    assert found.edits == (Edit(0, 1, 0, 2), Edit(4, 1, 10, 0))


def test_a_block_that_is_replaced_is_resolved() -> None:
    text = made(b"a\n", ONE, b"c\n")
    assert read_back(text, b"a\ny\nc\n").edits == (Edit(1, 1, 1, 0),)
    assert read_back(text, b"a\nc\n").edits == (Edit(1, 2, 1, 0),)
    both = read_back(text, b"a\nx\ny\nc\n")
    assert (both.edits, both.kept, both.left) == ((), (), None)


def test_one_of_two_is_resolved() -> None:
    text = made(b"a\n", ONE, b"m\n", TWO, b"z\n")
    found = read_back(text, text.with_blocks([b"x\n", text.blocks[1].marked]))
    assert found.edits == (Edit(2, 1, 2, 0),)
    assert found.untouched == (Untouched(1, 3),)


def test_of_two_equal_blocks_the_lines_around_say_which_is_left() -> None:
    text = made(b"a\n", ONE, b"m\n", ONE, b"z\n")
    first = read_back(text, text.with_blocks([text.blocks[0].marked, b"y\n"]))
    last = read_back(text, text.with_blocks([b"y\n", text.blocks[0].marked]))
    assert (first.kept, last.kept) == ((0,), (1,))
    assert read_back(text, text.text()).kept == (0, 1)


def test_a_diff_that_prefers_other_lines_does_not_lose_a_block() -> None:
    text = made(b"1\n2\n3\n", ONE, b"4\n5\n6\n")
    found = read_back(text, b"4\n5\n6\n" + text.blocks[0].marked + b"1\n2\n3\n")
    assert (found.kept, found.left) == ((0,), None)


@pytest.mark.parametrize("keep", range(6))
def test_a_marker_that_is_left_is_refused(keep: int) -> None:
    text = made(b"a\n", ONE, b"c\n")
    lines = text.text().splitlines(keepends=True)
    marker = [line for line in lines if text.lengths.pattern().match(line)]
    kept = marker[keep] if keep < len(marker) else marker[0][:7] + b"\n"
    assert read_back(text, b"a\nx\n" + kept + b"c\n").left == 3


def test_a_block_with_an_edit_inside_is_refused() -> None:
    text = made(b"a\n", ONE, b"c\n")
    assert read_back(text, text.text().replace(b"x\n", b"X\n")).left == 2


def test_a_block_that_stands_twice_or_out_of_turn_is_refused() -> None:
    text = made(b"a\n", ONE, b"m\n", TWO, b"z\n")
    one, two = (block.marked for block in text.blocks)
    assert read_back(text, b"a\n" + one + one + b"m\n" + two + b"z\n").left == 9
    assert read_back(text, b"a\n" + two + b"m\n" + one + b"z\n").left is not None


def test_without_final_lf_one_byte_can_be_what_remains() -> None:
    text = made(b"", conflict(b"", b"a\nx\n"), b"", final_lf=0)
    assert text.text().endswith(b"side 1\n")
    assert read_back(text, text.text()[:-1]).kept == (0,)
    assert read_back(text, b"x").edits == (Edit(0, 1, 0, 0),)


def test_the_last_marker_of_a_file_with_crlf_and_no_final_lf_has_no_cr() -> None:
    text = made(b"a\r\n", conflict(b"", b"x\r\n"), b"", final_lf=0)
    assert text.text()[:-1] == (
        b"a\r\n<<<<<<< side 0\r\n||||||| base\r\nb\n=======\r\nx\r\n>>>>>>> side 1"
    )
    assert read_back(text, text.text()[:-1]).kept == (0,)


@pytest.mark.parametrize("more", [b"", b"more\r\n"])
def test_a_crlf_behind_the_last_marker_leaves_the_conflict_alone(more: bytes) -> None:
    text = made(b"a\r\n", conflict(b"", b"x\r\n"), b"", final_lf=0)
    found = read_back(text, text.text()[:-1] + b"\r\n" + more)
    assert (found.kept, found.left) == ((0,), None)
    assert found.edits == ((Edit(2, 0, 7, 1),) if more else ())


def test_a_line_of_the_text_that_looks_like_a_marker_is_a_line() -> None:
    text = made(b"<<<<<<< mine\n", conflict(b"=======\n", b">>>>>>> x\n"), b"|||||||\n")
    found = read_back(text, text.with_blocks([b"=======\n"]))
    assert (found.edits, found.left) == ((Edit(2, 1, 2, 0),), None)


def test_the_lines_of_the_blocks_are_counted_from_one() -> None:
    text = made(b"a\n", ONE, b"m\n", TWO, b"")
    assert list(text.ranges()) == [(2, 8), (10, 15)]


def test_the_error_names_every_file_and_line() -> None:
    error = MarkersLeftError([(b"a", 3), (b"d/b", 1)])
    assert str(error) == "markers of conflicts are left at a:3, d/b:1"
    assert error.left == ((b"a", 3), (b"d/b", 1))


def test_read_whole_every_marker_is_a_line_like_any_other() -> None:
    text = made(b"a\n", ONE, b"c\n")
    shown = text.text()
    found = read_whole(text, shown.replace(b"c\n", b"d\n"))
    assert (found.untouched, found.left) == ((), None)
    kept = sum(edit.old_count for edit in found.edits)
    assert sum(edit.new_count for edit in found.edits) - kept == shown.count(b"\n") - 4
    assert read_whole(text, b"a\nx\ny\nc").edits == ()
