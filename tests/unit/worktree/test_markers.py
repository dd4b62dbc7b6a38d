from oxy.worktree.markers import Side, Sided, Widths, block, label, widths

ONE = (b"\x01" * 32, b"Ada Lovelace <ada@example.org>", b"Add the limits\n\nBecause.")


def test_a_side_is_called_by_its_change_its_author_and_its_first_line() -> None:
    assert label(*ONE) == b"010101010101 Ada Lovelace: Add the limits"


def test_hostile_authors_and_messages_stay_on_one_short_line_of_plain_text() -> None:
    called = label(
        b"\xff" * 32, b"A\r\x1b[2J\xe2\x80\xae\xff <x>", b"\t\x00>>>>>>> x\r" + b"y" * 999
    )
    assert called.decode() == (
        "ffffffffffff A\ufffd\ufffd[2J\ufffd\ufffd: \ufffd>>>>>>> x\ufffd" + "y" * 48 + "\u2026"
    )
    assert label(b"\xff" * 32, b"", b"") == b"ffffffffffff :"


def test_two_sides_are_written_as_diff3_does() -> None:
    conflict = Sided([Side(b"first", b"1\n"), Side(b"last", b"")], b"0\n")
    assert block(conflict, Widths(), b"\n", b"\n") == (
        b"<<<<<<< first\n1\n||||||| base\n0\n=======\n>>>>>>> last\n"
    )


def test_of_more_sides_each_between_says_its_name() -> None:
    conflict = Sided([Side(b"a", b"1\n"), Side(b"b", b"2\n"), Side(b"c", b"3\n")], b"")
    assert block(conflict, Widths(), b"\r\n", b"\n") == (
        b"<<<<<<< a\r\n1\n||||||| base\r\n======= b\r\n2\n=======\r\n3\n>>>>>>> c\n"
    )


def test_a_conflict_of_one_side_shows_it_and_the_base() -> None:
    assert block(Sided([Side(b"a", b"1\n")], b"0\n"), Widths(), b"\n", b"\n") == (
        b"<<<<<<< a\n1\n||||||| base\n0\n>>>>>>> a\n"
    )


def test_markers_are_longer_than_what_begins_a_line_like_them() -> None:
    assert widths([b"a <<<<<<<<<\n<<<<<<\n"]) == Widths()
    assert widths([b"Title\n==========\n", b"<<<<<<< a\n"]) == Widths(8, 7, 11, 7)


def test_a_line_looks_like_a_marker_if_the_run_at_its_begin_is_as_long() -> None:
    pattern = Widths(7, 8, 9, 10).pattern()
    for line in (b"<<<<<<<x\n", b"||||||||\n", b"a\n>>>>>>>>>>\r\n", b"========="):
        assert pattern.search(line), line
    for line in (b"<<<<<<<<\n", b"=======\n", b"a<<<<<<<\n", b"\n"):
        assert not pattern.search(line), line
