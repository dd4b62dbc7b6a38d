import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oxy.actions import seeking
from oxy.actions.seeking import Around, Hit, Matcher, PatternError, Query, hits, pieces

TEXT = b"".join(b"line %d\n" % number for number in range(1, 10))


def found(text: bytes, pattern: str, around: Around = Around()) -> list[Hit]:  # noqa: B008 - a frozen value
    return list(hits(Matcher(Query((pattern,))), pieces([text]), around))


def numbers(text: bytes, query: Query) -> list[int]:
    return [hit.number for hit in hits(Matcher(query), pieces([text]), Around())]


PATTERNS = ("a", "b$", "^", "^$", r"a\s", r"\Aa", "(?!a)b", "a|^b", r"\bb\b", "x*", r"\sb")
chunks = st.lists(st.lists(st.sampled_from("ab\n "), max_size=12).map("".join), max_size=5)


@given(chunks, st.sampled_from(PATTERNS), st.integers(0, 3), st.integers(0, 3))
def test_lines_are_found_as_if_each_stood_alone(
    drawn: list[str], pattern: str, before: int, after: int
) -> None:
    lines = "".join(drawn).split("\n")
    if not lines[-1]:
        lines.pop()
    wanted = {at for at, line in enumerate(lines) if re.search(pattern, line)}
    shown = {
        at
        for hit in wanted
        for at in range(max(hit - before, 0), min(hit + after + 1, len(lines)))
    }
    matcher = Matcher(Query((pattern,)))
    parts = pieces([part.encode() for part in drawn])
    made = list(hits(matcher, parts, Around(before, after)))
    assert [(hit.number - 1, hit.text) for hit in made] == [
        (at, lines[at]) for at in sorted(shown)
    ]
    assert {hit.number - 1 for hit in made if hit.matches} == wanted


def test_what_matches_is_told_by_its_characters() -> None:
    (hit,) = found("grün ist grün\n".encode(), "ü")
    assert hit == Hit(1, "grün ist grün", ((2, 3), (11, 12)), matches=True)


def test_any_of_several_patterns_is_found() -> None:
    assert numbers(TEXT, Query(("line 2", "7"))) == [2, 7]


def test_case_may_count_for_nothing() -> None:
    assert numbers("GRÜN\n".encode(), Query(("grün",), ignore_case=True)) == [1]
    assert numbers("GRÜN\n".encode(), Query(("grün",))) == []


def test_words_are_whole() -> None:
    assert numbers(b"ab\na b\n", Query(("a|b",), words=True)) == [2]


def test_plain_text_is_no_pattern() -> None:
    assert numbers(b"a.b\naxb\n", Query(("a.b",), fixed=True)) == [1]
    assert numbers(b"(\n", Query(("(",), fixed=True)) == [1]


def test_bytes_that_are_no_text_are_searched_too() -> None:
    assert [hit.text for hit in found(b"\xff line\n", "line")] == ["\udcff line"]


@pytest.mark.parametrize("pattern", ["(", "a{999999999999}", "(?P<x"])
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError, match="is no regular expression"):
        Matcher(Query((pattern,)))


def test_a_line_without_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeking, "LONGEST", 10)
    assert list(pieces([b"12345", b"67890", b"1234\n56", b"7"])) == [
        b"1234567890",
        b"1234\n",
        b"567",
    ]
