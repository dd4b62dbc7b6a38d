import io

from oxy.cli.watching import Watcher, bytes_of, described


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Gone(io.BytesIO):
    """A terminal that was closed."""

    def write(self, _data: object) -> int:
        raise BrokenPipeError


def test_nothing_is_shown_within_the_first_second() -> None:
    clock, stream = Clock(), io.BytesIO()
    watcher = Watcher(stream, clock)
    for tick in range(10):
        clock.now = tick / 10
        watcher.update(tick, 10, "files")
    assert stream.getvalue() == b""


def test_after_a_second_the_rate_and_the_time_left_are_shown() -> None:
    clock, stream = Clock(), io.BytesIO()
    watcher = Watcher(stream, clock)
    watcher.update(0, 400, "files")
    clock.now = 2.0
    watcher.update(100, 400, "files")
    assert stream.getvalue() == b"\r\x1b[K100 of 400 files, 50/s, 0:06 left"


def test_bytes_and_their_rate_are_shown_where_they_are_known() -> None:
    clock, stream = Clock(), io.BytesIO()
    watcher = Watcher(stream, clock)
    watcher.update(0, None, "objects received")
    clock.now = 2.0
    watcher.update(100, None, "objects received", 5 << 20)
    assert stream.getvalue() == b"\r\x1b[K100 objects received, 5.0 MiB, 2.5 MiB/s"


def test_bytes_are_told_shortly() -> None:
    found = [bytes_of(size) for size in (0, 999, 1000, 10240, 1 << 30, 1 << 60)]
    assert found == [
        "0 bytes",
        "999 bytes",
        "1.0 KiB",
        "10.0 KiB",
        "1.0 GiB",
        "1048576.0 TiB",
    ]


def test_it_is_shown_at_most_ten_times_a_second() -> None:
    clock, stream = Clock(), io.BytesIO()
    watcher = Watcher(stream, clock)
    clock.now = 2.0
    for tick in range(100):
        clock.now += 0.001
        watcher.update(tick, None, "files")
    assert stream.getvalue().count(b"\r") == 1


def test_the_line_is_taken_away_once() -> None:
    clock, stream = Clock(), io.BytesIO()
    watcher = Watcher(stream, clock)
    watcher.clear()
    clock.now = 2.0
    watcher.update(1, None, "\x1bfiles")
    watcher.clear()
    watcher.clear()
    assert stream.getvalue() == b"\r\x1b[K1 \\x1bfiles, 0/s\r\x1b[K"


def test_a_terminal_that_went_away_stops_nothing() -> None:
    clock = Clock()
    watcher = Watcher(Gone(), clock)
    clock.now = 2.0
    watcher.update(1, 2, "files")
    clock.now = 4.0
    watcher.update(2, 2, "files")
    watcher.clear()


def test_no_time_left_is_guessed_without_a_rate_or_past_the_total() -> None:
    assert described(0, 10, "files", 3.0) == "0 of 10 files, 0/s"
    assert described(12, 10, "files", 3.0) == "12 of 10 files, 4/s"
    assert described(1, 1201, "files", 0.1) == "1 of 1201 files, 10/s, 2:00 left"
