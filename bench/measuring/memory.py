"""The peak memory of a part of this process.

Linux forgets the peak of a process when "5" is written to its clear_refs; elsewhere the peak is
that of the process since it began.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from oxy.cli.timings import peak_memory

_FORGET: Final = "/proc/self/clear_refs"
_MEGABYTE: Final = 1e6


class Peak:
    """The most memory that was in use at once, in MB; there once it is over."""

    __slots__ = ("megabytes",)

    def __init__(self) -> None:
        self.megabytes = 0.0


@contextmanager
def peak_of() -> Iterator[Peak]:
    """Measure the peak memory of a `with` block."""
    with suppress(OSError), open(_FORGET, "w", encoding="ascii") as file:
        file.write("5")
    found = Peak()
    try:
        yield found
    finally:
        found.megabytes = peak_memory() / _MEGABYTE
