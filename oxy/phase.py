"""Marks of what a command spends its time on (spec: command-line, L23).

The lowest layer: any module that does I/O may mark a phase, and none needs to know the clock,
which the command line passes in when timing is asked for. The pure layers mark nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

REST = ""


class Spent:
    """What one phase took: seconds without those inside it, entries, peak bytes at its end."""

    __slots__ = ("entries", "peak", "seconds")

    def __init__(self) -> None:
        self.seconds = 0.0
        self.entries = 0
        self.peak = 0


class Recorder:
    """Adds up the phases of one command, in order of their first entry.

    Every moment counts for the innermost open phase only, so the phases add up to the whole.
    What is in no phase counts for the phase `REST`.
    """

    __slots__ = ("_clock", "_mark", "_open", "_peak", "phases")

    def __init__(self, clock: Callable[[], float], peak: Callable[[], int]) -> None:
        self._clock = clock
        self._peak = peak
        self._open = [Spent()]
        self.phases = {REST: self._open[0]}
        self._mark = clock()

    def charge(self) -> None:
        """Give the time since the last mark to the innermost open phase."""
        now = self._clock()
        self._open[-1].seconds += now - self._mark
        self._mark = now

    def enter(self, name: str) -> None:
        """Open a phase inside the open one."""
        self.charge()
        spent = self.phases.setdefault(name, Spent())
        spent.entries += 1
        self._open.append(spent)

    def leave(self) -> None:
        """Close the innermost open phase."""
        self.charge()
        spent = self._open.pop()
        spent.peak = max(spent.peak, self._peak())


class Span:
    """A phase that is being recorded; a context manager."""

    __slots__ = ("_name", "_recorder")

    def __init__(self, recorder: Recorder | None, name: str) -> None:
        self._recorder = recorder
        self._name = name

    def __enter__(self) -> None:
        """Open the phase."""
        if self._recorder is not None:
            self._recorder.enter(self._name)

    def __exit__(self, *_error: object) -> None:
        """Close it, whatever happened inside."""
        if self._recorder is not None:
            self._recorder.leave()


_recorders: list[Recorder] = []
_OFF = Span(None, REST)


def phase(name: str) -> Span:
    """Return a context manager that marks what runs inside it as `name`.

    Use it on the thread that runs the command, and never around a `yield`: the consumer's time
    would count. Cost when timing is off: under 0.2 us.
    """
    return Span(_recorders[-1], name) if _recorders else _OFF


def start(clock: Callable[[], float], peak: Callable[[], int]) -> Recorder:
    """Record phases from now on: `clock` gives seconds, `peak` the peak memory in bytes."""
    recorder = Recorder(clock, peak)
    _recorders.append(recorder)
    return recorder


def stop() -> None:
    """End the newest recording."""
    _recorders.pop().charge()
