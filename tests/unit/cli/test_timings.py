import io
import tracemalloc

from oxy.cli.output import Output
from oxy.cli.timings import Timings, peak_memory
from oxy.phase import phase


def test_the_table_has_each_phase_in_order_and_the_whole() -> None:
    stderr = io.BytesIO()
    timings = Timings()
    with phase("walk"), phase("hash"):
        pass
    timings.report(Output(None, stderr))
    lines = stderr.getvalue().decode().splitlines()
    assert [line.removeprefix("timings:   ")[:18].rstrip() for line in lines] == [
        "phase",
        "start-up",
        "walk",
        "hash",
        "the rest",
        "all",
    ]


def test_memory_that_was_used_counts_after_it_is_given_back() -> None:
    before = peak_memory()
    size = before + 10_000_000
    block = bytearray(size)
    block[::4096] = b"x" * len(block[::4096])
    del block
    assert peak_memory() >= size


def test_memory_is_told_where_it_is_asked_for() -> None:
    stderr = io.BytesIO()
    timings = Timings(memory=True)
    with phase("walk"):
        held = bytes(5_000_000)
        with phase("hash"):
            bytes(8_000_000)
        held += b"x"
    timings.report(Output(None, stderr))
    lines = stderr.getvalue().decode().splitlines()
    assert lines[0].endswith("MB live at its end   most MB allocated")
    told = {line[11:29].rstrip(): line.split()[-2:] for line in lines[1:-1]}
    live, allocated = (round(float(part)) for part in told["hash"])
    assert (live, allocated) == (5, 8)
    live, allocated = (round(float(part)) for part in told["walk"])
    assert (live, allocated) == (5, 5)
    assert not tracemalloc.is_tracing()
