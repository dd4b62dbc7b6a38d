import threading

import pytest

from oxy.store import sealing
from oxy.store.frame import RECORDS, Packer, packer, seal
from oxy.store.limits import SEALED_AHEAD
from oxy.store.sealing import Sealer, helpers

CONTENTS = [b"%d" % at * (at * 997 % 4000 + 1) for at in range(200)]


def workers() -> int:
    return sum("_work" in thread.name for thread in threading.enumerate())


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_frames_are_handed_on_in_order_and_as_one_thread_seals_them(threads: int) -> None:
    sealer, found = Sealer(lambda: packer(3), 3, threads), list[bytes]()
    for content in CONTENTS:
        sealer.add(RECORDS, content, found.append)
    sealer.drain()
    sealer.close()
    pack = packer(3)
    assert found == [seal(RECORDS, content, pack) for content in CONTENTS]
    assert not workers()


def test_one_frame_starts_no_thread() -> None:
    sealer, found = Sealer(lambda: packer(3), 3, 2), list[bytes]()
    sealer.add(RECORDS, b"one", found.append)
    assert len(found) == 1
    assert not workers()


def test_no_more_waits_than_may() -> None:
    sealer, found = Sealer(lambda: packer(3), 3, 1), list[bytes]()
    for at in range(8):
        sealer.add(RECORDS, bytes(SEALED_AHEAD // 2), found.append)
        assert len(found) >= at - 1
    sealer.close()


def test_frames_that_were_not_handed_on_are_dropped() -> None:
    sealer, found = Sealer(lambda: packer(3), 3, 1), list[bytes]()
    for content in CONTENTS[:3]:
        sealer.add(RECORDS, content, found.append)
    sealer.close()
    sealer.drain()
    assert len(found) == 1
    assert not workers()


def test_what_fails_in_a_thread_is_raised_where_it_is_handed_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(form: int, raw: bytes, pack: Packer) -> bytes:
        if raw == b"bad":
            raise MemoryError
        return seal(form, raw, pack)

    monkeypatch.setattr(sealing, "seal", fails)
    sealer, found = Sealer(lambda: packer(3), 3, 1), list[bytes]()
    for content in (b"a", b"b", b"bad", b"c"):
        sealer.add(RECORDS, content, found.append)
    with pytest.raises(MemoryError):
        sealer.drain()
    sealer.close()
    assert len(found) == 2


def test_no_more_than_a_few_threads_help() -> None:
    assert 0 <= helpers() <= sealing.MOST
