from pathlib import Path

import pytest

from oxy.worktree.switching import (
    Note,
    SwitchInterruptedError,
    clear,
    read,
    refuse_interrupted,
    write,
)

NOTE = Note(b"\x93\n\0", b"-c caf\xe9 main")


def test_a_note_is_read_as_it_was_written_until_it_is_cleared(tmp_path: Path) -> None:
    control = bytes(tmp_path)
    assert read(control) is None
    write(control, NOTE)
    assert read(control) == NOTE
    assert [path.name for path in tmp_path.iterdir()] == ["switching"]
    clear(control)
    clear(control)
    assert read(control) is None


def test_work_goes_on_only_where_no_switch_is_half_done(tmp_path: Path) -> None:
    control = bytes(tmp_path)
    refuse_interrupted(control, b"any")
    write(control, NOTE)
    with pytest.raises(SwitchInterruptedError) as caught:
        refuse_interrupted(control, b"old")
    assert caught.value.words == NOTE.words
    refuse_interrupted(control, NOTE.state)
    assert read(control) is None


def test_a_note_that_is_no_note_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "switching").write_bytes(b"not hex\nmain\n")
    assert read(bytes(tmp_path)) is None
