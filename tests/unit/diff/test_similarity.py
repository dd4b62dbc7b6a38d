from oxy.diff.similarity import MAX_LINES, fingerprint, similarity


def test_a_text_is_wholly_like_itself() -> None:
    text = fingerprint(b"one line\nanother line\nno line feed")
    assert similarity(text, text) == 1000


def test_half_of_the_bytes_make_half_the_similarity() -> None:
    old, new = (
        fingerprint(b"a" * 99 + b"\n" + b"b" * 99 + b"\n"),
        fingerprint(b"a" * 99 + b"\n"),
    )
    assert similarity(old, new) == similarity(new, old) == 500


def test_the_order_of_lines_does_not_matter() -> None:
    old, new = fingerprint(b"first line\nlast line\n"), fingerprint(b"last line\nfirst line\n")
    assert similarity(old, new) == 1000


def test_a_repeated_line_counts_as_often_as_both_have_it() -> None:
    line = b"x" * 9 + b"\n"
    assert similarity(fingerprint(line * 10), fingerprint(line * 4)) == 400


def test_a_text_of_few_bytes_is_like_nothing() -> None:
    assert similarity(fingerprint(b"a\n"), fingerprint(b"a\n")) == 0
    assert similarity(fingerprint(b""), fingerprint(b"")) == 0


def test_lines_past_the_bound_count_as_unlike() -> None:
    text = fingerprint(b"x\n" * (2 * MAX_LINES))
    assert text.size == 4 * MAX_LINES
    assert similarity(text, text) == 500
