from pathlib import Path

import pytest

from oxy.worktree.switching import (
    Journey,
    Note,
    Spot,
    SwitchInterruptedError,
    clear,
    interrupted,
    read,
    refuse_interrupted,
    write,
)

NOTE = Note(b"\x93\n\0", b"-c caf\xe9 main")


def never(_number: int, _microseconds: int) -> bool:
    return False


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
    refuse_interrupted(control, b"any", never)
    write(control, NOTE)
    with pytest.raises(SwitchInterruptedError) as caught:
        refuse_interrupted(control, b"old", never)
    assert caught.value.words == NOTE.words
    refuse_interrupted(control, NOTE.state, never)
    assert read(control) is None


def test_one_that_leaves_the_state_ends_with_its_operation(tmp_path: Path) -> None:
    control = bytes(tmp_path)
    note = Note(b"edits", b"main", b"from", ends=(7, 1_000_000))
    write(control, note)
    asked = []

    def happened(number: int, microseconds: int) -> bool:
        asked.append((number, microseconds))
        return True

    assert interrupted(control, b"from", never) == note
    assert interrupted(control, b"from", happened) is None
    assert asked == [(7, 1_000_000)]


def test_a_note_that_is_no_note_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "switching").write_bytes(b"not hex\nmain\n")
    assert read(bytes(tmp_path)) is None


def test_edits_under_way_are_read_as_they_were_written(tmp_path: Path) -> None:
    control = bytes(tmp_path)
    spots = (Spot(b"f", 1, 0, bytes(32)), Spot(b"d/\xff", 1, 1, b"\0" * 31 + b"\n"))
    journeys = (Journey(b"f", b"\0\n", spots), Journey(b"gone", None, ()))
    note = Note(b"to", b"main", b"from", (b"one", b"two"), journeys)
    write(control, note)
    assert read(control) == note


def test_a_note_counts_until_the_store_is_where_it_leads(tmp_path: Path) -> None:
    control = bytes(tmp_path)
    journeys = (Journey(b"f", b"edited", ()),)
    note = Note(b"to", b"main", b"from", (), journeys)
    write(control, note)
    assert interrupted(control, b"from", never) == note
    assert interrupted(control, b"to", never) is None
    assert interrupted(control, b"elsewhere", never) == note._replace(journeys=())


def test_a_going_back_to_where_it_began_counts_until_it_is_ended(tmp_path: Path) -> None:
    control = bytes(tmp_path)
    back = Note(b"from", b"main", b"from", (b"to",))
    write(control, back)
    assert interrupted(control, b"from", never) == back
    with pytest.raises(SwitchInterruptedError):
        refuse_interrupted(control, b"from", never)
