"""The first hour of the README, typed as it stands: it says what is written there."""

import re
import shlex
from pathlib import Path

import pytest

from tests.builders.desk import Desk

README = Path(__file__).resolve().parents[2] / "README.md"
TOP = "/srv/ada"
MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}")
COMMITS = 10


def hour() -> list[tuple[str, str]]:
    """Return what is typed, and what is written behind it."""
    _, _, text = README.read_text().partition("\n## A first hour\n")
    text, _, _ = text.partition("\n## ")
    typed: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith("    $ "):
            typed.append((line[6:], ""))
        elif line.startswith("    "):
            words, said = typed[-1]
            typed[-1] = (words, f"{said}{line[4:]}\n")
    return typed


def settled(said: str) -> str:
    """Return a text without what differs from day to day."""
    return MOMENT.sub("MOMENT", re.sub(r"\b[0-9a-f]{12}\b", "ID", said))


def typed_and_said(desk: Desk, place: Path, line: str) -> str:
    """Type a line in a directory, and return what it says."""
    words = shlex.split(line)
    if words[0] == "oxy":
        return desk.says(*words[1:], where=str(place)).replace(str(desk.root), TOP)
    echo, text, how, name = words
    assert (echo, how[0]) == ("echo", ">")
    with (place / name).open("a" if how == ">>" else "w") as file:
        file.write(f"{text}\n")
    return ""


def test_the_first_hour_says_what_is_written(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OXY_AUTHOR", "Ada Lovelace <ada@example.org>")
    desk, place = Desk(tmp_path, capfdbinary), tmp_path
    for line, said in hour():
        if line.startswith("cd "):
            place /= line.removeprefix("cd ")
        else:
            assert (line, settled(typed_and_said(desk, place, line))) == (line, settled(said))
    recorded = [line for line, _ in hour() if re.match(r"oxy (commit|revert) ", line)]
    assert len(recorded) >= COMMITS
