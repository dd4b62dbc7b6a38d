import pytest

from oxy.cli.declared import ALL_THAT_FOLLOWS, Declarations
from oxy.cli.number import positive
from oxy.cli.reading import read


def configure(parser: Declarations) -> None:
    parser.description = "Shown by help only."
    parser.add_argument("paths", nargs="*", metavar="PATH", help="shown by help only")
    parser.add_argument("-m", "--message", action="append", dest="messages")
    parser.add_argument("-n", type=positive)
    parser.add_argument("-q", "--quiet", action="store_true")


def found(*words: str) -> dict[str, object]:
    given = read(configure, list(words))
    assert given is not None
    return {name: value for name, value in vars(given).items() if value}


def test_options_may_stand_anywhere_in_each_of_their_forms() -> None:
    assert found("a", "-qn5", "b", "-m", "x", "--message=y", "-m=z") == {
        "paths": ["a", "b"],
        "quiet": True,
        "n": 5,
        "messages": ["x", "y", "z"],
    }


def test_behind_two_dashes_nothing_is_an_option() -> None:
    assert found("-q", "a", "--", "-m", "--json") == {
        "quiet": True,
        "paths": ["a", "-m", "--json"],
    }


def test_the_options_of_all_verbs_are_read_too() -> None:
    assert found("-C", "there", "--json", "--color", "never") == {
        "directories": ["there"],
        "as_json": True,
        "color": "never",
    }


@pytest.mark.parametrize(
    "line",
    [
        "-h",
        "-qh",
        "--help",
        "--quie",
        "-x",
        "-m",
        "-n 0",
        "-n x",
        "-n -5",
        "-5",
        "a -- b -- c",
        "a --",
        "--quiet=yes",
        "--message=",
        "-m -q",
        "--color blue",
    ],
)
def test_what_is_not_plain_is_left_to_argparse(line: str) -> None:
    assert read(configure, line.split()) is None


def test_a_command_in_a_command_is_kept_with_its_options() -> None:
    def runs(parser: Declarations) -> None:
        parser.add_argument("words", nargs=ALL_THAT_FOLLOWS)

    given = read(runs, ["--json", "make", "-k", "--json"])
    assert given is not None
    assert vars(given)["words"] == ["make", "-k", "--json"]
    assert read(runs, ["--", "make"]) is None
    assert read(runs, ["make", "--", "-k"]) is None
    assert read(runs, []) is None
