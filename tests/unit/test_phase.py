import pytest

from oxy.phase import REST, phase, start, stop


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def no_peak() -> int:
    return 0


def test_an_inner_phase_does_not_count_for_the_outer_one() -> None:
    clock = Clock()
    recorder = start(clock, no_peak)
    clock.now += 1
    with phase("walk"):
        clock.now += 2
        with phase("hash"):
            clock.now += 4
        clock.now += 8
    clock.now += 16
    stop()
    seconds = {name: spent.seconds for name, spent in recorder.phases.items()}
    assert seconds == {REST: 17, "walk": 10, "hash": 4}


def test_a_phase_inside_itself_counts_once() -> None:
    clock = Clock()
    recorder = start(clock, no_peak)
    with phase("walk"), phase("walk"):
        clock.now += 3
    stop()
    assert recorder.phases["walk"].seconds == 3
    assert recorder.phases["walk"].entries == 2


def test_phases_are_listed_in_order_of_their_first_entry() -> None:
    recorder = start(Clock(), no_peak)
    for name in ("walk", "hash", "walk", "write"):
        with phase(name):
            pass
    stop()
    assert list(recorder.phases) == [REST, "walk", "hash", "write"]


def test_a_phase_that_fails_is_closed() -> None:
    clock = Clock()
    recorder = start(clock, no_peak)

    def fail() -> None:
        clock.now += 1
        raise KeyError

    with pytest.raises(KeyError), phase("walk"):
        fail()
    clock.now += 1
    stop()
    assert recorder.phases["walk"].seconds == 1
    assert recorder.phases[REST].seconds == 1


def test_a_phase_keeps_the_highest_peak_at_its_end() -> None:
    peaks = iter([10, 30, 20])
    recorder = start(Clock(), lambda: next(peaks))
    for _ in range(3):
        with phase("walk"):
            pass
    stop()
    assert recorder.phases["walk"].peak == 30


def test_nothing_is_recorded_after_the_end() -> None:
    recorder = start(Clock(), no_peak)
    stop()
    with phase("walk"):
        pass
    assert list(recorder.phases) == [REST]


def test_all_phases_share_one_object_while_timing_is_off() -> None:
    assert phase("walk") is phase("hash")
