"""Marks of what a command spends its time on (spec: command-line, L23).

The lowest layer: any module that does I/O may mark a phase, and none needs to know the clock,
which the command line passes in when timing is asked for. The pure layers mark nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Memory: TypeAlias = Callable[[], tuple[int, int]]

REST = ""


class Spent:
    """What one phase took: seconds without those inside it, entries, peak bytes at its end.

    Where memory is asked for, `live` are the bytes that lived at its end, and `allocated` the
    most that it had at once beyond what lived when it began or went on.
    """

    __slots__ = ("allocated", "entries", "live", "peak", "seconds")

    def __init__(self) -> None:
        self.allocated = 0
        self.live = 0
        self.seconds = 0.0
        self.entries = 0
        self.peak = 0


class Recorder:
    """Adds up the phases of one command, in order of their first entry.

    Every moment counts for the innermost open phase only, so the phases add up to the whole.
    What is in no phase counts for the phase `REST`.
    """

    __slots__ = ("_clock", "_live", "_mark", "_memory", "_open", "_peak", "phases")

    def __init__(
        self, clock: Callable[[], float], peak: Callable[[], int], memory: Memory | None = None
    ) -> None:
        self._memory = memory
        self._live = 0
        self._clock = clock
        self._peak = peak
        self._open = [Spent()]
        self.phases = {REST: self._open[0]}
        self._mark = clock()

    def charge(self) -> None:
        """Give the time since the last mark to the innermost open phase, and the memory."""
        now = self._clock()
        spent = self._open[-1]
        spent.seconds += now - self._mark
        if self._memory is not None:
            spent.live, most = self._memory()
            spent.allocated = max(spent.allocated, most - self._live)
            self._live = spent.live
            now = self._clock()
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


def start(
    clock: Callable[[], float], peak: Callable[[], int], memory: Memory | None = None
) -> Recorder:
    """Record phases from now on.

    Args:
        clock: gives seconds.
        peak: gives the peak memory of the process in bytes.
        memory: where memory is asked for too, gives the bytes that live and the most that lived
            since it was last asked.
    """
    recorder = Recorder(clock, peak, memory)
    _recorders.append(recorder)
    return recorder


def stop() -> None:
    """End the newest recording."""
    _recorders.pop().charge()
