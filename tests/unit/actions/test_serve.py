"""A repository that answers over a pair of pipes."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from oxy.actions.init import init
from oxy.actions.serve import serve
from oxy.repo.place import NoRepositoryError
from oxy.sync.errors import LostError, NotReadyThereError, RefusedTransferError
from oxy.sync.wire import START, begun, packed, unpacked
from tests.builders.exchange import Silent

LIMIT = 0.2


class Ends(NamedTuple):
    """What the client writes to and reads from, and what the server does."""

    ask: int
    told: int
    source: int
    target: int

    def read(self, size: int) -> bytes:
        return os.read(self.told, size)


@pytest.fixture
def ends() -> Iterator[Ends]:
    source, ask = os.pipe()
    told, target = os.pipe()
    yield Ends(ask, told, source, target)
    for each in (ask, told, source, target):
        os.close(each)


def test_who_says_nothing_is_not_waited_for(ends: Ends, tmp_path: Path) -> None:
    init(bytes(tmp_path))
    with pytest.raises(LostError, match="nothing came"):
        serve(bytes(tmp_path), ends.source, ends.target, Silent(), LIMIT)
    assert begun(ends.read)


def test_who_takes_no_answer_is_not_waited_for(ends: Ends, tmp_path: Path) -> None:
    init(bytes(tmp_path))
    os.set_blocking(ends.target, False)
    try:
        while True:
            os.write(ends.target, bytes(4096))
    except BlockingIOError:
        pass
    with pytest.raises(LostError, match="nothing was taken"):
        serve(bytes(tmp_path), ends.source, ends.target, Silent(), LIMIT)


def test_a_command_that_is_not_allowed_is_refused_in_words(ends: Ends, tmp_path: Path) -> None:
    init(bytes(tmp_path))
    os.write(ends.ask, START + b"".join(packed([b"\x92\x01\x63"])))
    with pytest.raises(RefusedTransferError, match="form"):
        serve(bytes(tmp_path), ends.source, ends.target, Silent(), LIMIT)


def test_where_there_is_no_repository_that_is_said(ends: Ends, tmp_path: Path) -> None:
    with pytest.raises(NoRepositoryError):
        serve(bytes(tmp_path), ends.source, ends.target, Silent(), LIMIT)
    assert begun(ends.read)
    with pytest.raises(NotReadyThereError, match="no repository"):
        list(unpacked(ends.read))
