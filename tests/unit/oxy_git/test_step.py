"""What both sides held when they were last in step (spec: GB61)."""

from pathlib import Path

import pytest

from oxy_git.beside.step import Agreed, Step, load, save

STEP = Step(
    {b"refs/heads/main": Agreed(b"1" * 20, b"state")},
    (b"refs/heads/main", b"1" * 20),
    b"here",
    ((b"refs/heads/other", b"conflicted"),),
)


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    save(bytes(tmp_path), STEP)
    assert load(bytes(tmp_path)) == STEP


def test_nothing_noted_is_no_step(tmp_path: Path) -> None:
    assert load(bytes(tmp_path)) == Step()


@pytest.mark.parametrize(
    "data", [b"", b"\xc1", b"\x93\x01\x02\x03", b"\x95\x63\x90\x92\xa0\xa0\xa0\x90"]
)
def test_what_is_no_note_is_no_step(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside/step").write_bytes(data)
    assert load(bytes(tmp_path)) == Step()
