"""The tutorial of `oxy help`, typed as it stands."""

import shlex

import pytest

from oxy.cli.topics import topic
from tests.builders.desk import Desk


def test_the_tutorial_can_be_typed_as_it_stands(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    (desk.root / "home").mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(desk.root / "home"))
    monkeypatch.delenv("OXY_AUTHOR")
    monkeypatch.setenv("OXY_EDITOR", "true")
    place = desk.root / "new"
    place.mkdir()
    desk.root = place
    typed = [line[4:] for line in topic("tutorial").splitlines() if line.startswith("  $ ")]
    assert len(typed) > 30
    for line in typed:
        words = shlex.split(line)
        if words[0] == "oxy":
            desk.says(*words[1:])
        else:
            echo, text, how, name = words
            assert (echo, how[0]) == ("echo", ">")
            with (place / name).open("a" if how == ">>" else "w") as file:
                file.write(f"{text}\n")
    assert desk.says() == "on main\nnothing changed\n"
    assert (
        place / "notes"
    ).read_text() == "Call the printer\nBuy paper\nBuy ink\nBuy red ink\n"
