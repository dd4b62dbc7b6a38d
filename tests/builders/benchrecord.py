"""Results of a bench, made up."""

from collections.abc import Mapping, Sequence

from bench.measuring.figures import Figure
from bench.measuring.record import Record, Row


def figure(seconds: float, peak: float = 20) -> Figure:
    """Return a figure with a tenth of spread."""
    return Figure(seconds, seconds * 0.9, seconds * 1.1, seconds / 2, peak, 3)


def row(
    arms: Mapping[str, float],
    operation: str = "status",
    *,
    bound: float | None = None,
    threshold: float | None = None,
    memory: float | None = None,
    **sizes: int,
) -> Row:
    """Return a row of what each arm took, in seconds."""
    figures = {name: figure(seconds) for name, seconds in arms.items()}
    return Row(
        operation, "flat", sizes, figures, bound=bound, threshold=threshold, memory=memory
    )


def record(rows: Sequence[Row], bench: str = "peers", date: str = "2026-01-01") -> Record:
    """Return a record of some rows."""
    machine = {
        "cores": "2",
        "processor": "some",
        "memory": "8 GB",
        "system": "Linux",
        "file system": "ext4",
    }
    load = {"before": [0.5, 0.4, 0.3], "after": [0.6, 0.4, 0.3]}
    return Record(
        bench,
        "What does it take?",
        ("peers.py", "--size", "10"),
        date,
        "abc",
        machine,
        {"git": "2.39"},
        load,
        12,
        34,
        rows,
    )
