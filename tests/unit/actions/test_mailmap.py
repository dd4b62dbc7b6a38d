import os
import random
import subprocess
from pathlib import Path

import pytest

from oxy.actions.mailmap import MOST, Mailmap, read

PEOPLE = [
    f"{name} <{address}>"
    for name in ("Joe", "JOE", "Ann B", "x", "q", "é", "É", "Ann  B")
    for address in ("a@x", "A@x", "b@y", " a@x ", "c@z")
] + ["<a@x>", "<b@y>", "<>"]
"""Whom a mailmap may be for, or not."""

PARTS = (
    *("Joe", "joe", "Ann B", "Ann  B", "x", "é", "  ", "#", "\t", "\r"),
    *("<a@x>", "<A@X>", "<b@y>", " <b@Y> ", "< a@x >", "<>", "<a@x", "a@x>"),
)


def lines(seed: int) -> str:
    """Return a mailmap of parts in a random order, most of it lines that mean something."""
    rnd = random.Random(seed)  # noqa: S311 - it is to be the same each time
    made = []
    for _ in range(rnd.randint(1, 8)):
        if rnd.random() < 0.5:
            names = [rnd.choice(["", "Joe ", "Ann B ", "é "]) for _ in range(2)]
            addresses = [rnd.choice(["<a@x>", "<A@x>", "<b@y>"]) for _ in range(2)]
            made.append(
                names[0] + addresses[0] + rnd.choice(["", " " + names[1] + addresses[1]])
            )
        else:
            some = range(rnd.randint(0, 5))
            made.append("".join(rnd.choice(["", " "]) + rnd.choice(PARTS) for _ in some))
    return "\n".join(made)


def test_authors_are_those_that_git_shows(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    changed = 0
    for seed in range(60):
        text = lines(seed).encode()
        (tmp_path / ".mailmap").write_bytes(text)
        told = subprocess.run(
            [*git, "check-mailmap", "--stdin"],
            input="\n".join(PEOPLE).encode(),
            capture_output=True,
            check=True,
        )
        mailmap = Mailmap(text)
        shown = [mailmap.author(person.encode()) for person in PEOPLE]
        assert shown == told.stdout.splitlines(), text
        changed += sum(one != two.encode() for one, two in zip(shown, PEOPLE, strict=True))
    assert changed > 200


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (b"Proper <a@x>", b"Proper <a@x>"),
        (b"<new@x> <A@X>", b"Ann <new@x>"),
        (b"Proper <new@x> <a@x>", b"Proper <new@x>"),
        (b"Proper <new@x> ann <a@x>", b"Proper <new@x>"),
        (b"Proper <new@x> Bob <a@x>", b"Ann <a@x>"),
        (b"# Proper <a@x>", b"Ann <a@x>"),
        (b"Proper a@x", b"Ann <a@x>"),
    ],
)
def test_there_are_four_forms(line: bytes, shown: bytes) -> None:
    assert Mailmap(line).author(b"Ann <a@x>") == shown


def test_a_later_line_wins_and_a_name_of_one_is_kept_beside_an_address_of_another() -> None:
    mailmap = Mailmap(b"One <a@x>\n<new@x> <a@x>\nTwo <a@x>\n")
    assert mailmap.author(b"Ann <a@x>") == b"Two <new@x>"


def test_what_has_no_address_is_shown_as_it_is() -> None:
    assert Mailmap(b"Proper <a@x>").author(b"nobody") == b"nobody"


def test_a_symlink_is_not_followed(tmp_path: Path) -> None:
    assert read(bytes(tmp_path)) is None
    (tmp_path / "people").write_bytes(b"Proper <a@x>\n")
    (tmp_path / ".mailmap").symlink_to("people")
    assert read(bytes(tmp_path)) is None
    (tmp_path / ".mailmap").unlink()
    (tmp_path / "people").rename(tmp_path / ".mailmap")
    found = read(bytes(tmp_path))
    assert found is not None
    assert found.author(b"Ann <a@x>") == b"Proper <a@x>"


def test_what_is_no_file_or_too_large_is_no_mailmap(tmp_path: Path) -> None:
    path = tmp_path / ".mailmap"
    os.mkfifo(path)
    assert read(bytes(tmp_path)) is None
    path.unlink()
    with path.open("wb") as file:
        file.truncate(MOST + 1)
    assert read(bytes(tmp_path)) is None
