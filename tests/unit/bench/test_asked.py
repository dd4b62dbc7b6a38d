from bench.measuring.asked import called, question_of, unshown_of

TOLD = """Is it quick?

It may be. Does not show: whether it is
right; cold disks. More follows.
"""


def test_a_docstring_tells_the_question_and_what_is_not_shown() -> None:
    assert question_of(TOLD) == "Is it quick?"
    assert unshown_of(TOLD) == "Does not show: whether it is right; cold disks."
    assert unshown_of("Is it quick?") == ""


def test_a_command_is_told_without_places_of_this_machine() -> None:
    words = ["there/bench", "--dir", "x", "--size", "3", "--json=y", "--json", "z", "--ram"]
    assert called(words) == ("bench", "--size", "3", "--ram")
