from argparse import ArgumentParser, Namespace

import pytest

from oxy.cli.filters import (
    add_filters,
    any_line,
    compiled,
    content_test,
    counter,
    header_test,
    is_filtered,
    latest,
)
from oxy.cli.front import UsageError
from oxy.model.change import Header, Moment
from oxy.repo.repository import Repository

NOON = 1_717_156_800_000_000
"""2024-05-31 12:00 UTC, in microseconds."""

HEADER = Header(b"Ada Lovelace <ada@x>", Moment(NOON, 0), b"Fix it\n\nLouder: \xff\n")


def given(*words: str) -> Namespace:
    parser = ArgumentParser()
    add_filters(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("--author", "Love"), True),
        (("--author", "love"), False),
        (("--author", "love", "-i"), True),
        (("--author", "^Love"), False),
        (("--author", "bob", "--author", "ada@"), True),
        (("--grep", "^Louder"), True),
        (("--grep", "it$", "--author", "bob"), False),
        (("--since", "2024-05-31T12:00:00Z", "--until", "@1717156800"), True),
        (
            (
                "--since",
                "2024-05-31T12:00:01Z",
            ),
            False,
        ),
        (
            (
                "--until",
                "2024-05-31T11:59:59Z",
            ),
            False,
        ),
    ],
)
def test_a_header_is_let_through_by_every_kind_of_filter(
    words: tuple[str, ...], *, wanted: bool
) -> None:
    test = header_test(given(*words), None)
    assert test is not None
    assert test(HEADER) == wanted
    assert is_filtered(given(*words))


def test_without_filters_there_is_no_test() -> None:
    assert header_test(given("-i"), None) is None
    assert content_test(given("-i"), Repository.in_memory()) is None
    assert not is_filtered(given("-i"))


def test_authors_are_matched_as_they_are_shown() -> None:
    test = header_test(given("--author", "Proper"), lambda _: b"Proper <a@x>")
    assert test is not None
    assert test(HEADER)


def test_a_day_is_meant_to_its_end() -> None:
    second = 1_000_000
    assert latest("2024-05-31") - latest("2024-05-31T00:00:00") == 86_400 * second - 1


def test_what_is_no_expression_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^--grep: missing \), unterminated subpattern"):
        header_test(given("--grep", "("), None)
    with pytest.raises(UsageError, match=r"^-G: nothing to repeat at position 0$"):
        content_test(given("-G", "*"), Repository.in_memory())
    with pytest.raises(UsageError, match="-S and -G do not go together"):
        content_test(given("-G", "x", "-S", "x"), Repository.in_memory())
    with pytest.raises(UsageError, match="-S needs a text"):
        content_test(given("-S", ""), Repository.in_memory())


def test_occurrences_are_counted_in_either_case_where_that_is_asked() -> None:
    assert counter("ab", ignores_case=False)(b"abAB") == 1
    assert counter("ab", ignores_case=True)(b"abAB\xff") == 2


def test_an_expression_matches_within_a_line() -> None:
    (pattern,) = compiled("-G", [r"a\sb"], ignores_case=False)
    assert any_line(pattern, b"x\na b\n")
    assert not any_line(pattern, b"a\nb\n")
