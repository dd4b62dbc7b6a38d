import os
from pathlib import Path

import pytest

from oxy.actions.init import init
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.repository import opened
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.worktree.here import Here, recall, remember, witness

HERE = Here(b"state", b"main")


@pytest.fixture
def control(tmp_path: Path) -> bytes:
    return init(bytes(tmp_path)) + b"/.oxy"


def move(control: bytes, name: bytes) -> None:
    stamp = Stamp(1, 0, b"", b"test")
    with opened(os.path.dirname(control)) as repository, writing(repository, stamp) as work:
        work.move(Ref(BOOKMARK, name), Target(Name()))


def test_what_was_remembered_is_recalled(control: bytes) -> None:
    for here in (HERE, Here(b"", None, disputed=True), Here(b"state", b"")):
        remember(control, witness(control), here)
        assert recall(control, control) == here


def test_any_commit_to_the_store_makes_it_forgotten(control: bytes) -> None:
    remember(control, witness(control), HERE)
    move(control, b"other")
    assert recall(control, control) is None


def test_a_commit_between_looking_and_remembering_makes_it_forgotten(control: bytes) -> None:
    seen = witness(control)
    move(control, b"other")
    remember(control, seen, HERE)
    assert recall(control, control) is None


def test_nothing_is_trusted_while_a_commit_goes_on(control: bytes) -> None:
    remember(control, witness(control), HERE)
    with (Path(os.fsdecode(control)) / "index.db-journal").open("r+b") as journal:
        journal.write(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
    assert witness(control) is None
    assert recall(control, control) is None


def test_frames_that_are_not_indexed_yet_make_it_forgotten(control: bytes) -> None:
    remember(control, witness(control), HERE)
    segments = Path(os.fsdecode(control)) / "segments"
    with max(segments.iterdir()).open("ab") as segment:
        segment.write(b"x")
    assert recall(control, control) is None


def test_a_damaged_or_missing_file_is_forgotten(control: bytes) -> None:
    assert recall(control, control) is None
    remember(control, witness(control), HERE)
    path = Path(os.fsdecode(control)) / "cache/here"
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert recall(control, control) is None
        path.write_bytes(whole[:place])
        assert recall(control, control) is None


def test_without_a_store_there_is_no_witness(tmp_path: Path) -> None:
    assert witness(bytes(tmp_path)) is None
    remember(bytes(tmp_path), None, HERE)
    assert not list(tmp_path.iterdir())
