"""A word that is empty is a variable of a script that was: it never means more than it says."""

import pytest

from tests.builders.desk import Desk

NO_NAME = "oxy: '' is no name for a bookmark or tag: it is empty\n"
NO_PATH = "oxy: a path is empty\n"
NO_ADDRESS = "oxy: the address of a repository is empty\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("bookmark", ""), NO_NAME),
        (("bookmark", "-d", ""), "oxy: there is no bookmark ''\n"),
        (("tag", ""), NO_NAME),
        (("tag", "-d", ""), "oxy: there is no tag ''\n"),
        (("tag", "--show", ""), "oxy: there is no tag ''\n"),
        (("shelve", "-d", ""), "oxy: there is no shelf ''\n"),
        (("shelve", ""), NO_NAME),
        (("discard", ""), NO_PATH),
        (("rm", ""), NO_PATH),
        (("mv", "", "b"), NO_PATH),
        (("cat", ""), NO_PATH),
        (("blame", ""), NO_PATH),
        (("restore", "--from", "@", ""), NO_PATH),
        (("clone", ""), NO_ADDRESS),
        (("pull", ""), NO_ADDRESS),
        (("push", ""), NO_ADDRESS),
        (("remote", "add", "x", ""), NO_ADDRESS),
        (("switch", ""), "oxy: no bookmark, tag or change is called ''\n"),
    ],
)
def test_an_empty_word_is_refused(desk: Desk, words: tuple[str, ...], why: str) -> None:
    desk.write("a", "1\n")
    desk.says("commit", "-m", "Base")
    desk.write("a", "2\n")
    held = desk.says("op", "log")
    assert desk.refuses(*words, code=2).startswith(why)
    assert desk.says("op", "log") == held
    assert desk.says("status") == "on main\nM a\n"
