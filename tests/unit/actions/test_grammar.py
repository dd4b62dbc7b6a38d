import pytest

from oxy.actions.grammar import (
    DEEPEST,
    LONGEST,
    MOST_STEPS,
    Back,
    Chain,
    Past,
    StateSyntaxError,
    Tree,
    TwoReadingsError,
    Word,
    is_plain,
    parse,
    quoted,
    unparse,
)

NAMES = {b"main", b"topic", b"a", b"b", b"c", b"a-b", b"b-c", b"feature-x"}
MAIN, TOPIC = Word(b"main"), Word(b"topic")


def read(text: bytes) -> Tree:
    return parse(text, NAMES.__contains__)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        (b" main ", MAIN),
        (b"feature-x", Word(b"feature-x")),
        (b"main-topic", Chain(MAIN, ((b"-", TOPIC),))),
        (b"feature-x-main~2", Chain(Word(b"feature-x"), ((b"-", Back(MAIN, 2)),))),
        (b"main~~~2", Back(MAIN, 4)),
        (b"(main~2)~1", Back(MAIN, 3)),
        (b"main~0", MAIN),
        (b"@{2 days ago}", Past(Word(b"@"), b"2 days ago")),
        (b"x@y@{1}~1", Back(Past(Word(b"x@y"), b"1"), 1)),
        (b'"a b"~', Back(Word(b"a b", is_quoted=True), 1)),
        (b'"\\"\\\\"', Word(b'"\\', is_quoted=True)),
        (b"main|topic&a", Chain(MAIN, ((b"|", Chain(TOPIC, ((b"&", Word(b"a")),))),))),
        (b"a & b - c", Chain(Word(b"a"), ((b"&", Word(b"b")), (b"-", Word(b"c"))))),
        (b"git:abcd|nothing-here", Chain(Word(b"git:abcd"), ((b"|", Word(b"nothing-here")),))),
    ],
)
def test_a_text_is_read_as_the_grammar_says(text: bytes, tree: Tree) -> None:
    assert read(text) == tree


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "a name is wanted"),
        (b"-a", "a name is wanted, not '-'"),
        (b"main^", "~1 is what it was before"),
        (b"main topic", "'t' is out of place"),
        (b"(main", "a ) is missing"),
        (b"main)", "')' is out of place"),
        (b'"main', 'a " is missing'),
        (b'"main\\', 'a " is missing'),
        (b"main@{now", "a } is missing"),
        (b"main@{ }", "a time is wanted"),
        (b"main~1000000001", "goes back more than"),
        (b"main~%b1" % (b"9" * 40), "goes back more than"),
        (b"main~999999999~9", "goes back more than"),
        (b"a" * (LONGEST + 1), "longer than 4096 bytes"),
        (b"(" * (DEEPEST + 1) + b"a" + b")" * (DEEPEST + 1), "more than 32 parentheses"),
    ],
)
def test_what_the_grammar_does_not_have_is_refused(text: bytes, why: str) -> None:
    with pytest.raises(StateSyntaxError) as caught:
        read(text)
    assert why in caught.value.why
    assert caught.value.called == text


def test_limits_are_reached() -> None:
    assert read(b"(" * DEEPEST + b"a" + b")" * DEEPEST) == Word(b"a")
    assert read(b"main~%d" % MOST_STEPS) == Back(MAIN, MOST_STEPS)
    assert read(b"a" * LONGEST) == Word(b"a" * LONGEST)


def test_hyphens_that_cut_in_two_ways_are_refused_with_both() -> None:
    with pytest.raises(TwoReadingsError) as caught:
        read(b"a-b-c")
    assert set(caught.value.readings) == {b"a - b-c", b"a-b - c", b"a - b - c"}


def test_a_word_of_many_hyphens_is_one_name() -> None:
    text = b"-".join([b"a"] * 20)
    assert read(text) == Word(text)


def test_parentheses_are_written_where_they_are_needed() -> None:
    for text in (b"(a | b) & c~1", b"a - (b - c)", b"(a & b)~2", b"a | (b | c)", b"a | b & c"):
        assert unparse(read(text)) == text


def test_a_name_is_quoted_only_if_it_has_to_be() -> None:
    assert quoted(b"feature/a-b@c.d") == b"feature/a-b@c.d"
    assert quoted(b"a&b") == b'"a&b"'
    assert not is_plain(b"")
