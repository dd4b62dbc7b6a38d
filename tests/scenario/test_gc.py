"""The store is made small, through the real command line, to the letter (ST29 to ST31)."""

import json
import re
import sqlite3

from tests.builders.desk import Desk


def plain(said: str) -> str:
    """Return what was said with each number of bytes as N."""
    return re.sub(r"\b\d{3,}\b", "N", said)


def test_what_was_taken_back_goes_once_nothing_reaches_it(desk: Desk) -> None:
    desk.write("a", "1\n")
    desk.commit("One")
    desk.write("a", "2\n")
    desk.commit("Two")
    desk.says("undo")
    assert desk.says("gc", "--dry-run", "--grace", "0") == "nothing would be removed\n"
    assert plain(desk.says("gc")) == "N bytes, N before\n"
    (desk.root / ".oxy/config.toml").write_text("[gc]\nlog = '0'\n")
    desk.write("a", "3\n")
    desk.commit("Three")
    assert desk.says("gc", "--dry-run", "--grace", "0").startswith("would remove 1 changes, ")
    waiting = "1 objects that nothing reaches stay for their grace period\n"
    assert desk.says("gc").endswith(waiting)
    said = json.loads(desk.says("gc", "--grace", "0", "--json"))
    assert said["removed"]["changes"] == 1
    assert said["after"]["total"] > said["after"]["segments"] > 0
    assert desk.says("fsck") == "nothing is wrong\n"
    assert desk.says("log", "--oneline") == "ID [main] Three\nID One\n"


def test_a_wrong_number_of_days_is_named(desk: Desk) -> None:
    said = desk.refuses("gc", "--grace", "long", code=2)
    assert "--grace is 'long', which is no number of days" in said


def test_commands_that_write_pack_what_has_gathered(desk: Desk) -> None:
    desk.write("big", "some line\n" * 30)
    desk.commit("One")
    (desk.root / "data").write_bytes(bytes(range(256)) * (1 << 12))
    desk.commit("Two")
    assert not (desk.root / ".oxy/segments/000002.oxs").exists()
    for number in range(2):
        with (desk.root / "noise").open("wb") as file:
            file.writelines(
                (b"%d %d " % (number, at * at)).hex().encode() + b"\n" for at in range(90_000)
            )
        desk.commit(f"Noise {number}")
    assert not (desk.root / ".oxy/segments/000001.oxs").exists()
    assert desk.says("fsck") == "nothing is wrong\n"


def test_an_older_repository_is_brought_forward(desk: Desk) -> None:
    desk.write("a", "1\n")
    desk.commit("One")
    database = sqlite3.connect(desk.root / ".oxy/index.db")
    database.execute("DROP TABLE gone")
    database.execute("PRAGMA user_version=1")
    database.commit()
    database.close()
    said = desk.refuses("log", code=3)
    assert "has format version 1; this oxy works with 2" in said
    assert "`oxy upgrade` brings it forward" in said
    assert desk.says("upgrade") == (
        "index: brought from format 1 to 2\nsegments: format 2, as it was\n"
    )
    assert desk.says("log", "--oneline") == "ID [main] One\n"
