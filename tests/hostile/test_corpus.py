"""The hostile corpus: each bad input through each door, with everything outside untouched."""

import re
from pathlib import Path

import pytest

from tests.hostile.corpus import ELSEWHERE, ROWS
from tests.hostile.yard import Yard, bounded, summed

ENTRIES = set(range(1, 81)) - {30}
"""The numbers of the corpus; there is no 30."""

EACH = [
    pytest.param(row, id=f"{entry}: {door}")
    for entry in sorted(ROWS)
    for door, row in ROWS[entry].items()
]


@pytest.mark.parametrize("row", EACH)
def test_a_bad_input_is_refused_or_handled(
    row: "object",
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert callable(row)
    yard = Yard(tmp_path, capfdbinary, monkeypatch)
    own = yard.here, yard.stage
    before = summed(tmp_path, *own)
    with bounded():
        row(yard)
    assert summed(tmp_path, *own) == before


def test_every_entry_has_a_row() -> None:
    assert set(ROWS) | set(ELSEWHERE) == ENTRIES
    assert not set(ROWS) & set(ELSEWHERE)


@pytest.mark.parametrize("entry", sorted(ELSEWHERE))
def test_what_is_proven_elsewhere_is_there(entry: int) -> None:
    path, begins = ELSEWHERE[entry]
    text = (Path(__file__).parents[2] / path).read_text()
    assert re.search(rf"^def test_{begins}", text, re.MULTILINE)
