"""What each phase of a command took, and its peak memory (spec: command-line, L23)."""

from __future__ import annotations

import time

from oxy.phase import REST, Recorder, start, stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.output import Output

STATUS = "/proc/self/status"
PEAK = "VmHWM:"
MEGABYTE = 1e6
MILLI = 1e3


def peak_memory() -> int:
    """Return the most memory this process has held at once, in bytes.

    Where the kernel keeps the figure by address space, that one is read: the other, of
    getrusage, begins at the size of whatever process started this one.
    """
    try:
        with open(STATUS, encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith(PEAK):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    import resource
    import sys

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


class Timings:
    """The recording of one command, from here to `report`."""

    __slots__ = ("_recorder", "_start_up")

    def __init__(self) -> None:
        # All of the process before this is start-up, and nearly all of it is processor time.
        self._start_up = time.process_time()
        self._recorder: Recorder = start(time.perf_counter, peak_memory)

    def report(self, out: Output) -> None:
        """End the recording and write its table to standard error."""
        stop()
        peak = peak_memory()
        phases = dict(self._recorder.phases)
        rest = phases.pop(REST)
        out.note("timings:   phase                     ms   entered   peak MB at its end")
        out.note(row("start-up", self._start_up))
        for name, spent in phases.items():
            out.note(row(name, spent.seconds, str(spent.entries), spent.peak))
        out.note(row("the rest", rest.seconds))
        whole = self._start_up + rest.seconds + sum(spent.seconds for spent in phases.values())
        out.note(row("all", whole, "", peak))


def row(name: str, seconds: float, entries: str = "", peak: int = 0) -> str:
    """Return one row of the table."""
    memory = f"{peak / MEGABYTE:20.1f}" if peak else ""
    return f"timings:   {name:<18}{seconds * MILLI:10.1f}{entries:>10}{memory}".rstrip()
