from oxy.diff.unified import hunks


def shown(old: bytes, new: bytes, context: int = 3) -> list[bytes]:
    return [line for hunk in hunks(old, new, context) for line in (hunk.header(), *hunk.lines)]


def numbered(*changed: int) -> bytes:
    return b"".join(
        b"%d%b\n" % (number, b"!" if number in changed else b"") for number in range(1, 21)
    )


def test_equal_texts_have_no_hunks() -> None:
    assert hunks(b"a\n", b"a\n") == []


def test_a_hunk_has_three_lines_of_context() -> None:
    assert shown(numbered(), numbered(10)) == [
        b"@@ -7,7 +7,7 @@",
        b" 7",
        b" 8",
        b" 9",
        b"-10",
        b"+10!",
        b" 11",
        b" 12",
        b" 13",
    ]


def test_edits_whose_context_touches_share_a_hunk() -> None:
    assert len(hunks(numbered(), numbered(5, 12))) == 1
    assert len(hunks(numbered(), numbered(5, 13))) == 2


def test_without_context_an_insertion_names_the_line_before() -> None:
    assert shown(b"a\nb\n", b"a\nx\nb\n", 0) == [b"@@ -1,0 +2 @@", b"+x"]


def test_a_new_text_starts_at_line_zero() -> None:
    assert shown(b"", b"a\nb\n") == [b"@@ -0,0 +1,2 @@", b"+a", b"+b"]
    assert shown(b"a\n", b"") == [b"@@ -1 +0,0 @@", b"-a"]


def test_a_missing_last_line_feed_is_said_on_its_side() -> None:
    said = b"\\ No newline at end of file"
    assert shown(b"a\nb", b"a\nb\n") == [b"@@ -1,2 +1,2 @@", b" a", b"-b", said, b"+b"]
    assert shown(b"a\nb\n", b"a\nb") == [b"@@ -1,2 +1,2 @@", b" a", b"-b", b"+b", said]


def test_a_missing_last_line_feed_on_both_sides_is_said_once() -> None:
    said = b"\\ No newline at end of file"
    assert shown(b"a\nb", b"x\nb") == [b"@@ -1,2 +1,2 @@", b"-a", b"+x", b" b", said]
