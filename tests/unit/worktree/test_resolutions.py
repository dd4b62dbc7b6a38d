from pathlib import Path

from oxy.worktree.resolutions import NOTHING, read, write

CHOICES = frozenset({(b"\x01" * 32, 2), (b"\x02" * 32, 4)})


def test_choices_are_read_back_in_the_state_that_they_are_of(tmp_path: Path) -> None:
    control = bytes(tmp_path)
    assert read(control, b"state") == NOTHING
    write(control, b"state", CHOICES)
    assert read(control, b"state") == CHOICES
    assert read(control, b"other") == NOTHING


def test_no_choices_leave_no_note(tmp_path: Path) -> None:
    control = bytes(tmp_path)
    write(control, b"state", CHOICES)
    write(control, b"state", ())
    assert list(tmp_path.iterdir()) == []
    write(control, b"state", ())


def test_a_note_that_is_damaged_says_nothing(tmp_path: Path) -> None:
    for data in (b"", b"\xc1", b"\x01", b"\x92\xa1s\x01"):
        (tmp_path / "resolutions").write_bytes(data)
        assert read(bytes(tmp_path), b"s") == NOTHING
