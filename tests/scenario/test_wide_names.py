"""Columns stay columns beside characters that take two columns, or none."""

from oxy.model.width import width
from tests.builders.desk import Desk

NAMES = ("Ada", "李白", "Zoe\u0308")


def test_blame_and_bookmarks_are_in_columns(desk: Desk) -> None:
    text = ""
    for name in NAMES:
        text += "line\n"
        desk.write("a", text)
        desk.says("commit", "-m", "More", "--author", f"{name} <a@x>")
        desk.says("bookmark", name)
    lines = desk.says("blame", "a").splitlines()
    assert len({width(line) for line in lines}) == 1
    assert lines[1].startswith("ID 李白 2")
    lines = desk.says("bookmark").splitlines()
    assert {width(line[: line.index("ID")]) for line in lines} == {7}
