import pytest
from hypothesis import given
from hypothesis import strategies as st

from oxy.diff.fitting import UnfitError, fitted
from oxy.diff.reading import read
from oxy.diff.unified import hunks

TEXT = b"".join(b"%d\n" % number for number in range(1, 21))


def put(text: bytes, old: bytes, new: bytes, context: int = 3) -> bytes:
    return offsets(text, old, new, context)[0]


def offsets(
    text: bytes, old: bytes, new: bytes, context: int = 3
) -> tuple[bytes, tuple[int, ...]]:
    shown = [line for h in hunks(old, new, context) for line in (h.header(), *h.lines)]
    patch = b"".join(line + b"\n" for line in (b"--- a/f", b"+++ b/f", *shown))
    (file,) = read(patch)
    return fitted(text, file.hunks)


texts = st.lists(st.sampled_from((b"a\n", b"b\n", b"c\n", b"\n", b"tail")), max_size=12).map(
    b"".join
)


@given(texts, texts, st.integers(0, 4))
def test_hunks_make_the_new_text_of_the_old(old: bytes, new: bytes, context: int) -> None:
    if old != new:
        assert put(old, old, new, context) == new


def test_a_hunk_is_found_where_lines_were_put_before_it() -> None:
    new = TEXT.replace(b"10\n", b"ten\n")
    assert offsets(b"0\n00\n" + TEXT, TEXT, new) == (b"0\n00\n" + new, (2,))
    assert offsets(TEXT[4:], TEXT, new) == (new[4:], (-2,))


def test_hunks_that_follow_are_looked_for_as_far_off() -> None:
    new = TEXT.replace(b"5\n", b"five\n", 1).replace(b"16\n", b"sixteen\n")
    assert offsets(b"0\n" + TEXT, TEXT, new) == (b"0\n" + new, (1, 1))


def test_a_hunk_whose_lines_are_others_is_named() -> None:
    new = TEXT.replace(b"5\n", b"five\n", 1).replace(b"16\n", b"sixteen\n")
    with pytest.raises(UnfitError, match="hunk 2, of line 13, fits nowhere") as caught:
        put(TEXT.replace(b"17\n", b"x\n"), TEXT, new)
    assert caught.value.number == 2


def test_an_edit_at_the_end_fits_at_the_end_only() -> None:
    with pytest.raises(UnfitError):
        put(TEXT + b"more\n", TEXT, TEXT + b"21\n")


def test_an_edit_at_the_beginning_fits_at_the_beginning_only() -> None:
    with pytest.raises(UnfitError):
        put(b"more\n" + TEXT, TEXT, b"0\n" + TEXT)


def test_without_lines_around_it_a_hunk_is_where_it_says() -> None:
    new = TEXT.replace(b"10\n", b"ten\n")
    assert put(TEXT, TEXT, new, 0) == new
    with pytest.raises(UnfitError):
        put(b"0\n" + TEXT, TEXT, new, 0)


def test_a_line_without_lf_never_comes_into_the_middle() -> None:
    with pytest.raises(UnfitError):
        put(TEXT, b"1\n", b"1", 0)
