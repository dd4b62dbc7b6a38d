"""What each phase of a command took, and its peak memory (spec: command-line, L23)."""

from __future__ import annotations

import time

from oxy.phase import REST, Recorder, Spent, start, stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.output import Output

STATUS = "/proc/self/status"
PEAK = "VmHWM:"
MEGABYTE = 1e6
MILLI = 1e3
MEMORY = "   MB live at its end   most MB allocated"
WIDE = 69


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


def traced() -> tuple[int, int]:
    """Return the bytes that live, and the most that lived since this was last asked."""
    import tracemalloc

    found = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    return found


class Timings:
    """The recording of one command, from here to `report`.

    Args:
        memory: whether memory is traced too: times are then longer than they would be.
    """

    __slots__ = ("_memory", "_recorder", "_start_up")

    def __init__(self, *, memory: bool = False) -> None:
        # All of the process before this is start-up, and nearly all of it is processor time.
        self._start_up = time.process_time()
        self._memory = memory
        if memory:
            import tracemalloc

            tracemalloc.start()
        self._recorder: Recorder = start(
            time.perf_counter, peak_memory, traced if memory else None
        )

    def report(self, out: Output) -> None:
        """End the recording and write its table to standard error."""
        stop()
        peak = peak_memory()
        if self._memory:
            import tracemalloc

            tracemalloc.stop()
        phases = dict(self._recorder.phases)
        rest = phases.pop(REST)
        heading = "timings:   phase                     ms   entered   peak MB at its end"
        out.note(heading + (MEMORY if self._memory else ""))
        out.note(row("start-up", self._start_up))
        for name, spent in phases.items():
            shown = row(name, spent.seconds, str(spent.entries), spent.peak)
            out.note(shown + self._held(spent))
        out.note((row("the rest", rest.seconds).ljust(WIDE) + self._held(rest)).rstrip())
        whole = self._start_up + rest.seconds + sum(spent.seconds for spent in phases.values())
        out.note(row("all", whole, "", peak))

    def _held(self, spent: Spent) -> str:
        if not self._memory:
            return ""
        return f"{spent.live / MEGABYTE:18.2f}{spent.allocated / MEGABYTE:18.2f}"


def row(name: str, seconds: float, entries: str = "", peak: int = 0) -> str:
    """Return one row of the table."""
    memory = f"{peak / MEGABYTE:20.1f}" if peak else ""
    return f"timings:   {name:<18}{seconds * MILLI:10.1f}{entries:>10}{memory}".rstrip()
