"""Pipes with a limit on silence, over real ones."""

import os
from collections.abc import Iterator
from threading import Thread
from typing import NamedTuple

import pytest

from oxy.sync.errors import GoneError, LostError
from oxy.sync.pipes import Pipes

LIMIT = 0.2


class Ends(NamedTuple):
    """What the test writes to and reads from, and the pipes at the other ends."""

    write: int
    read: int
    pipes: Pipes


@pytest.fixture
def ends() -> Iterator[Ends]:
    source, write = os.pipe()
    read, target = os.pipe()
    yield Ends(write, read, Pipes(source, target, LIMIT))
    for each in (source, write, read, target):
        try:
            os.close(each)
        except OSError:
            # The test has closed it.
            continue


def test_exactly_what_is_asked_for_is_read(ends: Ends) -> None:
    os.write(ends.write, b"abcdef")
    assert ends.pipes.read(2) == b"ab"
    os.write(ends.write, b"gh")
    assert ends.pipes.read(6) == b"cdefgh"
    os.close(ends.write)
    assert ends.pipes.read(1) == b""


def test_an_end_in_the_middle_is_told_from_an_end(ends: Ends) -> None:
    os.write(ends.write, b"a")
    os.close(ends.write)
    with pytest.raises(LostError, match="ended in the middle"):
        ends.pipes.read(2)


def test_why_it_ended_is_asked_for() -> None:
    source, write = os.pipe()
    os.close(write)
    with pytest.raises(LostError, match="the connection was lost: no route"):
        Pipes(source, os.open(os.devnull, os.O_WRONLY), LIMIT, lambda: "no route").read(1)
    os.close(source)


def test_who_is_silent_is_lost(ends: Ends) -> None:
    with pytest.raises(LostError, match=r"nothing came for 0\.2 seconds"):
        ends.pipes.read(1)


def test_who_sends_a_byte_now_and_then_is_lost_as_well(ends: Ends) -> None:
    is_over: list[bool] = []

    def drip() -> None:
        while not is_over:
            os.write(ends.write, b"x")
            os.read(pause, 1)

    pause, go_on = os.pipe()
    os.write(go_on, bytes(5))
    dripping = Thread(target=drip)
    dripping.start()
    with pytest.raises(LostError, match="nothing came"):
        ends.pipes.read(100)
    is_over.append(True)
    os.write(go_on, b"x")
    dripping.join()
    os.close(pause)
    os.close(go_on)


def test_who_takes_nothing_is_lost(ends: Ends) -> None:
    with pytest.raises(LostError, match="nothing was taken"):
        ends.pipes.write(bytes(1 << 20))


def test_who_is_gone_takes_nothing(ends: Ends) -> None:
    os.close(ends.read)
    with pytest.raises(GoneError):
        ends.pipes.write(b"x")


def test_much_is_written_while_somebody_reads(ends: Ends) -> None:
    data = os.urandom(1 << 20)
    got = bytearray()

    def take() -> None:
        while len(got) < len(data):
            got.extend(os.read(ends.read, 1 << 16))

    taking = Thread(target=take)
    taking.start()
    ends.pipes.write(data)
    taking.join()
    assert got == data
