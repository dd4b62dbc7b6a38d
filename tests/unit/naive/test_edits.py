"""Edits between two texts."""

from hypothesis import given
from hypothesis import strategies as st

from tests.naive.edits import Edit, apply_edits, edits_between

texts = st.text("abc", max_size=12)


@given(texts, texts)
def test_edits_make_the_new_text_of_the_old(old: str, new: str) -> None:
    assert apply_edits(old, new, edits_between(old, new)) == list(new)


@given(texts, texts)
def test_edits_are_apart_and_say_something(old: str, new: str) -> None:
    end = -1
    for edit in edits_between(old, new):
        assert edit.old_start > end
        assert edit.old_count or edit.new_count
        end = edit.old_start + edit.old_count


def test_the_common_head_is_taken_before_the_common_tail() -> None:
    assert edits_between("aa", "aaa") == (Edit(2, 0, 2, 1),)
