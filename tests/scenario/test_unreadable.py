"""What cannot be read is told, and holds nothing else up."""

import errno
import os
from typing import Protocol

import pytest

from tests.builders.desk import Desk

UNREAD = 3


class Open(Protocol):
    """What `os.open` is."""

    def __call__(
        self, path: bytes, flags: int, mode: int = 0o777, *, dir_fd: int | None = None
    ) -> int: ...


def guarded(*names: bytes) -> Open:
    """Return an `open` to which the system refuses some names."""
    opened = os.open

    def open_some(
        path: bytes, flags: int, mode: int = 0o777, *, dir_fd: int | None = None
    ) -> int:
        if path in names:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return opened(path, flags, mode, dir_fd=dir_fd)

    return open_some


@pytest.fixture(name="shut")
def _shut(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Return a desk with edits, of which the system shows some to nobody."""
    for name in ("open", "secret", "closed/inside", "closed/deep/inside"):
        desk.write(name, "1\n")
    desk.commit("First")
    for name in ("open", "secret", "closed/inside", "fresh"):
        desk.write(name, "2\n")
    (desk.root / "fresh").chmod(0o600)
    monkeypatch.setattr(os, "open", guarded(b"secret", b"closed", b"fresh"))
    return desk


TOLD = (
    "left out: closed/ cannot be read: Permission denied\n"
    "left out: fresh cannot be read: Permission denied\n"
    "left out: secret cannot be read: Permission denied\n"
)


def test_status_tells_all_else(shut: Desk) -> None:
    assert shut.run("status") == UNREAD
    assert shut.out == f"on main\nM open\n{TOLD}"
    assert shut.run() == UNREAD


def test_a_commit_records_all_else_and_a_file_that_is_named_stops_it(shut: Desk) -> None:
    assert shut.run("commit", "-m", "Open") == UNREAD
    assert shut.out.startswith(TOLD)
    assert shut.run("status") == UNREAD
    assert shut.out == f"on main\n{TOLD}nothing changed\n"
    told = shut.refuses("commit", "-m", "Secret", "secret", code=UNREAD)
    assert told == "oxy: cannot read secret: Permission denied\n"


def test_a_difference_shows_all_else(shut: Desk) -> None:
    assert shut.run("diff", "--name-only") == UNREAD
    assert shut.out == "open\n"
    assert shut.err == TOLD.replace("left out:", "warning:")
    assert shut.run("hunks") == UNREAD
    assert shut.out.count("\n") == 1


def test_what_puts_edits_aside_wants_to_see_them_all(shut: Desk) -> None:
    told = shut.refuses("shelve", code=UNREAD)
    assert told.startswith("oxy: cannot read ")
    assert (shut.root / "closed/deep/inside").read_text() == "1\n"
    assert (shut.root / "secret").read_text() == "2\n"


def test_rules_that_cannot_be_read_leave_their_directory_out(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("d/known", "1\n")
    desk.commit("First")
    desk.write("d/.gitignore", "*.o\n")
    desk.write("d/a.o", "1\n")
    monkeypatch.setattr(os, "open", guarded(b".gitignore"))
    assert desk.run("status") == UNREAD
    assert desk.out == (
        "on main\nleft out: d/ is left out, as d/.gitignore cannot be read: Permission denied\n"
        "nothing changed\n"
    )
