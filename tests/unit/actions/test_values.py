import pytest

from oxy.actions.values import told
from oxy.model.digest import blob_id
from oxy.model.operation import BYTES, FINAL_LF, KIND, MODE, PIN, PLACE, TARGET, BlobRef
from oxy.repo.registers import Held


@pytest.mark.parametrize(
    ("register", "value", "words"),
    [
        (MODE, 1, b"executable"),
        (MODE, 0, b"plain"),
        (FINAL_LF, 0, b"no final LF"),
        (KIND, 3, b"symlink"),
        (PLACE, None, b"deleted"),
        (PLACE, b"d/f", b"d/f"),
        (TARGET, b"there", b"there"),
        (PIN, b"\x01\xff", b"01ff"),
        (BYTES, None, b"nothing"),
        (BYTES, b"a\0", b"2 bytes, " + blob_id(b"a\0").hex()[:12].encode()),
    ],
)
def test_values_are_told_in_words(register: int, value: Held, words: bytes) -> None:
    assert told(register, value) == words


def test_bytes_are_told_the_same_whether_inline_or_a_blob() -> None:
    assert told(BYTES, BlobRef(blob_id(b"ab"), 2)) == told(BYTES, b"ab")
