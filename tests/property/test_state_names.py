"""The grammar of the names of states: it never fails, and what it prints it reads."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from oxy.actions.grammar import (
    Back,
    Chain,
    Past,
    StateSyntaxError,
    Tree,
    TwoReadingsError,
    Word,
    parse,
    quoted,
    unparse,
)

PARTS = [
    b"a",
    b"b-c",
    b"-",
    b"~",
    b"3",
    b"@",
    b"@{",
    b"}",
    b"(",
    b")",
    b"|",
    b"&",
    b" ",
    b'"',
    b"\\",
]
NAMES = {b"a", b"b", b"b-c", b"c", b"a-b", b"@"}

words = (
    st.text("ab-@.:/\xe9", min_size=1, max_size=6)
    .map(str.encode)
    .filter(lambda name: not name.startswith(b"-"))
)
times = st.text("0a -:", min_size=1, max_size=6).map(str.strip).filter(bool).map(str.encode)
leaves: st.SearchStrategy[Tree] = st.one_of(
    words.map(Word),
    st.binary(max_size=6).map(lambda name: Word(name, is_quoted=True)),
    st.builds(Past, words.map(Word), times),
)


def grown(trees: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    whole = trees.filter(lambda tree: not isinstance(tree, Back))
    unions = st.lists(st.tuples(st.just(b"|"), trees), min_size=1, max_size=3)
    cuts = st.lists(st.tuples(st.sampled_from([b"&", b"-"]), trees), min_size=1, max_size=3)
    return st.one_of(
        st.builds(Back, whole, st.integers(1, 50)),
        st.builds(Chain, trees, st.one_of(unions, cuts).map(tuple)),
    )


trees = st.recursive(leaves, grown, max_leaves=8)


def read_safely(text: bytes) -> None:
    with suppress(StateSyntaxError, TwoReadingsError):
        tree = parse(text, NAMES.__contains__)
        assert parse(unparse(tree), NAMES.__contains__) == tree


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(text: bytes) -> None:
    read_safely(text)


@given(st.lists(st.sampled_from(PARTS), max_size=24).map(b"".join))
def test_anything_of_the_grammars_own_parts_is_read_or_refused(text: bytes) -> None:
    read_safely(text)


@given(trees)
def test_what_is_printed_reads_the_same(tree: Tree) -> None:
    assert parse(unparse(tree), lambda _: True) == tree


@given(st.binary(min_size=1, max_size=8))
def test_a_quoted_name_reads_as_that_name(name: bytes) -> None:
    tree = parse(quoted(name), lambda _: True) if not name.startswith(b"-") else None
    assert tree is None or (isinstance(tree, Word) and tree.name == name)
