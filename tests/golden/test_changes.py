"""The bytes of format 1, which never change (spec: model)."""

import os

import pytest

from oxy.codec.decode import FormatError, MalformedError, decode
from oxy.codec.encode import encode
from oxy.model.operation import KIND, KIND_SUBREPO, KIND_TEXT, PLACE, TextEdit
from tests.golden.changes import GOLDEN


def _pinned() -> dict[str, tuple[bytes, bytes]]:
    """Return the id and the payload of each name in the golden file."""
    path = os.path.join(os.path.dirname(__file__), "changes-1.txt")
    with open(path, encoding="ascii") as lines:
        rows = [line.split() for line in lines if not line.startswith("#")]
    return {name: (bytes.fromhex(known), bytes.fromhex(data)) for name, known, data in rows}


def test_every_golden_change_is_pinned() -> None:
    assert _pinned().keys() == GOLDEN.keys()


@pytest.mark.parametrize("name", GOLDEN)
def test_a_change_has_the_bytes_and_the_id_that_it_always_had(name: str) -> None:
    change, payload = encode(*GOLDEN[name])
    assert (change.id, payload) == _pinned()[name]


@pytest.mark.parametrize("name", GOLDEN)
def test_the_bytes_that_were_always_written_decode_to_the_change(name: str) -> None:
    known, payload = _pinned()[name]
    assert decode(payload) == (known, *GOLDEN[name])


@pytest.mark.parametrize("name", GOLDEN)
def test_no_flipped_bit_goes_unnoticed(name: str) -> None:
    known, payload = _pinned()[name]
    for bit in range(8 * len(payload)):
        flipped = bytearray(payload)
        flipped[bit // 8] ^= 1 << bit % 8
        try:
            assert decode(bytes(flipped)).id != known
        except (MalformedError, FormatError):
            continue


def test_the_change_that_the_specification_draws_has_the_id_that_it_says() -> None:
    known, _ = _pinned()["first"]
    assert known.hex() == "2e2e3ae679a0a88ed625e6f33225b31f2624c70696082e7a3469f43c75d1f932"


def test_the_golden_changes_hold_every_kind_register_and_operation() -> None:
    nodes = [edit for _, operations in GOLDEN.values() for edit in operations.nodes]
    assert {edit.created for edit in nodes} == {None, *range(KIND_TEXT, KIND_SUBREPO + 1)}
    assert {w.register for edit in nodes for w in edit.writes} == set(range(PLACE, KIND + 1))
    edits = [edit.text for edit in nodes if edit.text is not None]
    assert all(any(edit[field] for edit in edits) for field in range(len(TextEdit._fields)))
