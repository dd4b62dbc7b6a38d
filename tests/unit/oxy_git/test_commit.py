"""Commits as they are written, however oddly."""

import pytest

from oxy.model.change import Moment
from oxy_git.reader.commit import parse, person, readable

TREE = b"tree " + b"1" * 40 + b"\n"


def test_an_ordinary_commit_is_read() -> None:
    raw = (
        TREE + b"parent " + b"2" * 40 + b"\nparent " + b"3" * 40 + b"\n"
        b"author Ada <ada@example.org> 1700000000 +0130\n"
        b"committer Bob <bob@example.org> 1700000001 -0800\n\nMessage\n"
    )
    found = parse(raw)
    assert found.tree == b"\x11" * 20
    assert found.parents == (b"\x22" * 20, b"\x33" * 20)
    assert found.author == b"Ada <ada@example.org>"
    assert found.time == Moment(1_700_000_000_000_000, 90)
    assert found.message == found.raw_message == b"Message\n"
    assert found.head + found.raw_message == raw


def test_a_commit_without_a_blank_line_has_no_message() -> None:
    raw = TREE + b"author A <a@e.x> 1 +0000\n"
    found = parse(raw)
    assert (found.head, found.raw_message) == (raw, b"")


def test_headers_go_on_over_lines_that_begin_with_a_space() -> None:
    raw = TREE + b"author A <a@e.x> 1 +0000\ngpgsig x\n tree y\n\nm"
    assert parse(raw).tree == b"\x11" * 20


@pytest.mark.parametrize(
    ("line", "name", "moment"),
    [
        (b"A <a@e.x> 17 -0830", b"A <a@e.x>", Moment(17_000_000, -510)),
        (b"A <a@e.x> 17 +051800", b"A <a@e.x>", Moment(17_000_000, 31_080)),
        (b"A <a@e.x> -1 +0000", b"A <a@e.x>", Moment(-1_000_000, 0)),
        (b"A <a@e.x> 18446743887488505614 +0000", b"A <a@e.x>", Moment((1 << 63) - 1, 0)),
        (b"A <a@e.x>", b"A <a@e.x>", Moment(0, 0)),
        (b"A <a@e.x> 1 +0000 junk", b"A <a@e.x> 1 +0000 junk", Moment(0, 0)),
        (b"A\rB <a@e.x> 1 +0000", b"A B <a@e.x>", Moment(1_000_000, 0)),
        (b"", b"", Moment(0, 0)),
    ],
)
def test_an_author_is_as_near_as_a_change_can_hold(
    line: bytes, name: bytes, moment: Moment
) -> None:
    assert person(line) == (name, moment)


@pytest.mark.parametrize(
    ("message", "encoding", "read"),
    [
        (b"caf\xe9", b"", b"caf\xe9"),
        (b"caf\xe9", b"ISO-8859-1", b"caf\xc3\xa9"),
        (b"caf\xe9", b"UTF-8", b"caf\xe9"),
        (b"caf\xe9", b"utf8, latin9", b"caf\xe9"),
        (b"caf\xe9", b"\xff", b"caf\xe9"),
        (b"\xff", b"ascii", b"\xff"),
        (b"6869", b"hex", b"6869"),
    ],
)
def test_a_message_is_read_by_its_encoding_or_left(
    message: bytes, encoding: bytes, read: bytes
) -> None:
    assert readable(message, encoding) == read
