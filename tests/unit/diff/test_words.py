from oxy.diff.words import MAX_BYTES, Span, refine


def test_only_the_changed_word_is_marked() -> None:
    assert refine(b"let speed = 1;", b"let velocity = 1;") == ([Span(4, 9)], [Span(4, 12)])


def test_an_inserted_word_marks_nothing_on_the_old_side() -> None:
    assert refine(b"a b\n", b"a, b\n") == ([], [Span(1, 2)])


def test_a_character_is_never_torn() -> None:
    old, new = "x = 'é' + 'common'".encode(), "x = 'è' + 'common'".encode()
    assert refine(old, new) == ([Span(5, 7)], [Span(5, 7)])


def test_sides_with_little_in_common_are_wholly_changed() -> None:
    old, new = b"alpha beta gamma delta", b"one,two,three,four five"
    assert refine(old, new) == ([Span(0, len(old))], [Span(0, len(new))])


def test_a_hunk_past_the_bound_is_wholly_changed() -> None:
    old = b"a" * MAX_BYTES
    assert refine(old, b"a b") == ([Span(0, MAX_BYTES)], [Span(0, 3)])


def test_an_empty_side_has_no_span() -> None:
    assert refine(b"", b"abc") == ([], [Span(0, 3)])
    assert refine(b"", b"") == ([], [])
