from argparse import ArgumentParser

import pytest

from oxy.cli.arguments import parser_of
from oxy.cli.front import UsageError
from oxy.cli.number import positive, whole


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("--oneline", action="store_true")
    parser.add_argument("-n", type=positive)
    parser.add_argument("--at", type=whole)


def refused(*words: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        parser_of("op log", configure).parse_args(words)
    return caught.value


def test_an_option_that_is_mistyped_is_answered_with_what_looks_like_it() -> None:
    error = refused("--onelyne")
    assert str(error) == "not understood: --onelyne"
    assert (error.command, error.near) == ("op log", ("--oneline",))


def of_paths(parser: ArgumentParser) -> None:
    parser.add_argument("-m")
    parser.add_argument("paths", nargs="*")


def test_options_may_stand_among_words_of_one_kind() -> None:
    read = parser_of("commit", of_paths).read
    assert vars(read(["a", "-m", "why", "b", "--", "-c"]))["paths"] == ["a", "b", "-c"]
    with pytest.raises(UsageError, match=r"^not understood: --where$"):
        read(["a", "-m", "why", "--where"])


def test_a_word_too_much_is_answered_without_a_guess() -> None:
    error = refused("a", "b")
    assert (str(error), error.near) == ("not understood: a b", ())


@pytest.mark.parametrize("word", ["0", "-1", "x", "1.5", "", "1" * 19, "\u0663"])
def test_what_is_no_number_from_1_up_is_refused_in_words(word: str) -> None:
    error = refused(f"-n{word}") if word else refused("-n", word)
    assert str(error) == f"argument -n: '{word}' is no whole number from 1 up"


def test_numbers_from_0_up_include_0() -> None:
    given = parser_of("op log", configure).parse_args(["--at", "0"])
    assert given.at == 0
    assert str(refused("--at=-1")) == "argument --at: '-1' is no whole number from 0 up"


def of_a_command(parser: ArgumentParser) -> None:
    parser.add_argument("words", nargs="A...")


def test_a_wrong_option_before_a_command_is_refused_too() -> None:
    with pytest.raises(UsageError, match=r"^the following arguments are required: words$"):
        parser_of("bisect run", of_a_command).read(["--bad"])
