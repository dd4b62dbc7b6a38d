import os
from pathlib import Path

import pytest

from oxy.worktree.reader import TreeReader
from oxy.worktree.unfinished import is_remainder


@pytest.mark.parametrize(
    ("held", "pieces", "expected"),
    [
        (b"", [b"whole"], True),
        (b"", [], True),
        (b"who", [b"w", b"hole"], True),
        (b"whole", [b"wh", b"ole"], True),
        (b"whole and more", [b"wh", b"ole"], False),
        (b"whose", [b"wh", b"ole"], False),
        (b"x", [], False),
        (b"\0\0ole", [b"wh", b"ole"], True),
        (b"\0\0\0", [b"wh", b"ole"], True),
        (b"\0\0\0s", [b"wh", b"ole"], False),
    ],
)
def test_what_a_crash_left_is_told_however_it_is_cut(
    tmp_path: Path, held: bytes, pieces: list[bytes], *, expected: bool
) -> None:
    (tmp_path / "file").write_bytes(held)
    fd = os.open(tmp_path, os.O_RDONLY)
    reader = TreeReader(fd)
    try:
        assert is_remainder(reader, b"file", iter(pieces)) is expected
    finally:
        reader.close()
        os.close(fd)
