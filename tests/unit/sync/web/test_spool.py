"""A request that is taken whole, in memory or in a file without a name."""

import os
from pathlib import Path

import pytest

from oxy.sync import limits
from oxy.sync.errors import LostError
from oxy.sync.web.spool import Spool


@pytest.mark.parametrize("size", [0, 10, limits.IN_MEMORY + 10])
def test_what_was_written_is_read_in_any_pieces(tmp_path: Path, size: int) -> None:
    data = os.urandom(size)
    with Spool(bytes(tmp_path)) as spool:
        spool.write(data[:3])
        spool.write(data[3:])
        assert spool.size == size
        assert os.listdir(tmp_path) == []
        half = size // 2
        assert (spool.read(half) if half else b"") + spool.read(size - half) == data
        assert spool.read(1) == b""
    assert os.listdir(tmp_path) == []


def test_an_end_in_the_middle_is_told_from_an_end(tmp_path: Path) -> None:
    with Spool(bytes(tmp_path)) as spool:
        spool.write(b"abc")
        assert spool.read(2) == b"ab"
        with pytest.raises(LostError, match="in the middle"):
            spool.read(2)


def test_what_was_cut_ends_nowhere_well(tmp_path: Path) -> None:
    with Spool(bytes(tmp_path)) as spool:
        spool.write(b"abc")
        spool.cut()
        assert spool.read(3) == b"abc"
        with pytest.raises(LostError, match="in the middle"):
            spool.read(1)


def test_what_may_be_long_is_put_on_the_disk_before_it_is(tmp_path: Path) -> None:
    with Spool(bytes(tmp_path)) as spool:
        assert spool.is_short
        spool.write(bytes(limits.IN_MEMORY - 4 * limits.PIECE))
        assert not spool.is_short
