import pytest

from oxy.cli.front import Front, UsageError


def test_options_before_the_verb_are_taken_and_the_rest_is_left() -> None:
    front = Front(["-C", "a", "--json", "-Cb", "--color=never", "log", "--json", "-C", "c"])
    assert front.directories == ["a", "b"]
    assert front.as_json
    assert front.color == "never"
    assert front.words == ["log", "--json", "-C", "c"]


def test_no_words_are_no_options() -> None:
    front = Front([])
    assert (front.directories, front.as_json, front.color, front.words) == (
        [],
        False,
        None,
        [],
    )


@pytest.mark.parametrize("word", ["-h", "--help", "--version"])
def test_an_option_that_is_a_verb_stays(word: str) -> None:
    assert Front(["--json", word]).words == [word]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-C"], "-C needs a value"),
        (["--color"], "--color needs a value"),
        (["--color", "pink"], "--color takes auto, always, never, not 'pink'"),
        (["--quick", "log"], "no option '--quick' stands before a command"),
        (["--json=1"], "no option '--json=1' stands before a command"),
    ],
)
def test_a_wrong_option_is_named(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Front(arguments)
    assert str(caught.value) == message


def test_settings_and_no_pager_are_taken() -> None:
    front = Front(["-c", "user.name=Ada", "--no-pager", "-cuser.email=a@x", "log", "-c", "x"])
    assert front.settings == ["user.name=Ada", "user.email=a@x"]
    assert front.no_pager
    assert front.words == ["log", "-c", "x"]
