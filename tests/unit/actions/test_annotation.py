import pytest

from oxy.actions.annotation import TIME, Annotation, pack, unpack
from oxy.model.change import Moment

RAW = b"""object 0123
type commit
tag v1
tagger Grace <grace@example.org> 1700000000 -0330

Release

Notes
"""


def test_what_was_packed_is_read_back() -> None:
    for annotation in (
        Annotation(b"Why"),
        Annotation(b"", b"Ada <a@b>", Moment(-5, -90)),
    ):
        assert unpack(pack(annotation)) == annotation


def test_a_tag_of_git_says_what_its_object_says() -> None:
    moment = Moment(1_700_000_000_000_000, -210)
    grace = b"Grace <grace@example.org>"
    assert unpack(((b"git:tag", RAW),)) == Annotation(b"Release\n\nNotes\n", grace, moment)


@pytest.mark.parametrize("raw", [b"", b"tagger x\n\nm", b"tagger A <a> x +0000\n\nm"])
def test_an_odd_tag_of_git_has_no_time(raw: bytes) -> None:
    found = unpack(((b"git:tag", raw),))
    assert found is not None
    assert found.time is None


@pytest.mark.parametrize("time", [b"", b"1", b"1 x", b"\xb2 0", b"9" * 30 + b" 0"])
def test_what_is_no_time_is_none(time: bytes) -> None:
    annotation = pack(Annotation(b"Why"))
    assert unpack((*annotation, (TIME, time))) == Annotation(b"Why")


def test_a_tag_without_a_message_has_no_annotation() -> None:
    assert unpack(()) is None
