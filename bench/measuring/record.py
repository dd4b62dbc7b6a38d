"""What a bench found, as it is kept: one JSON form for all of them (bench/README.md draws it).

What follows from the figures (ratio, winner, verdict) is not stored.
"""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, TypedDict, cast

from bench.measuring.figures import Figure

FORM: Final = 2
"""The number of this form; another is refused."""

OURS: Final = "oxy"
LIBRARY: Final = "library"
"""The arm that is no process: the library, called in the process of the bench."""
PEER: Final = "git"
NOTHING: Final[Mapping[str, float]] = MappingProxyType({})

OK: Final = "ok"
OVER: Final = "over"
MISSING: Final = "not built"


class FormError(Exception):
    """A file is no result of a bench, or of another form."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: no result of form {FORM}")


class Row(NamedTuple):
    """One operation on one material at one size.

    Attributes:
        operation: what was done.
        material: what it was done on, such as `flat` or `wide`.
        sizes: how much of it there was, such as files and changes.
        figures: what each arm took; one that cannot do it is not there.
        against: the arm that ratios are told against.
        unit: what the figures count, `s` or `MB`.
        bound: the most that oxy may take, in units of the arm it is told against.
        threshold: the most that it may take, in the unit; the library where it was measured.
        memory: the most MB that it may take.
        facts: what else was counted.
        of: the arm that ratios are of; nothing for the process of oxy, or for the library where
            there is no such process.
    """

    operation: str
    material: str
    sizes: Mapping[str, int]
    figures: Mapping[str, Figure]
    against: str = PEER
    unit: str = "s"
    bound: float | None = None
    threshold: float | None = None
    memory: float | None = None
    facts: Mapping[str, float] = NOTHING
    of: str = ""

    @property
    def ours(self) -> Figure | None:
        """What is held against threshold and memory."""
        if self.of:
            return self.figures.get(self.of)
        return self.figures.get(LIBRARY) or self.figures.get(OURS)

    @property
    def ratio(self) -> float | None:
        """How many times as long as the peer oxy takes."""
        one, other = self._pair
        return one.median / other.median if one and other and other.median else None

    @property
    def processor_ratio(self) -> float | None:
        """The same of the processor time, which a busy machine does not blur."""
        one, other = self._pair
        return one.processor / other.processor if one and other and other.processor else None

    @property
    def _pair(self) -> tuple[Figure | None, Figure | None]:
        """What a ratio is of, and what it is told against."""
        ours = self.of or (OURS if OURS in self.figures else LIBRARY)
        return self.figures.get(ours), self.figures.get(self.against)

    @property
    def ranking(self) -> list[str]:
        """The arms by their medians, the quickest first; nothing where there is no second.

        Where oxy is measured as a process, the library is none of them.
        """
        beside = LIBRARY if OURS in self.figures else None
        arms = {name: each.median for name, each in self.figures.items() if name != beside}
        return sorted(arms, key=arms.__getitem__) if len(arms) > 1 else []

    @property
    def winner(self) -> str:
        """The quickest arm; nothing where there is no second."""
        return self.ranking[0] if self.ranking else ""

    @property
    def runner_up(self) -> str:
        """The second quickest arm, if there is one."""
        return self.ranking[1] if self.ranking else ""

    @property
    def margin(self) -> float | None:
        """How much longer the runner-up takes, as a share; 0 where the intervals overlap."""
        if not self.ranking:
            return None
        first, second = (self.figures[name] for name in self.ranking[:2])
        apart = second.low > first.high and first.median > 0
        return second.median / first.median - 1 if apart else 0.0

    @property
    def verdict(self) -> str:
        """`ok`, `over` or `not built`; nothing where only memory has a limit, and keeps it."""
        if self.ours is None:
            return MISSING if self.figures or self.threshold is not None else ""
        held = (
            (self.ratio, self.bound),
            (self.ours.median, self.threshold),
            (self.ours.peak, self.memory),
        )
        if any((value or 0) > most for value, most in held if most is not None):
            return OVER
        return "" if self.bound is None and self.threshold is None else OK


class Record(NamedTuple):
    """A whole run of a bench.

    Attributes:
        bench: its name.
        question: what it answers.
        command: the words that it was called with.
        date: when it began, ISO 8601 with the offset from UTC.
        revision: of this project; with `+` where files were edited; empty where not known.
        machine: what one has to know of the machine, by name.
        versions: of all that took part, by name.
        load: the means of 1, 5 and 15 minutes before and after.
        seconds: of the whole run.
        peak: MB of the process of the bench.
        rows: what was found.
        notes: what belongs under the table.
        sources: the digest of each package that took part, by name.
    """

    bench: str
    question: str
    command: Sequence[str]
    date: str
    revision: str
    machine: Mapping[str, str]
    versions: Mapping[str, str]
    load: Mapping[str, Sequence[float]]
    seconds: float
    peak: float
    rows: Sequence[Row]
    notes: Sequence[str] = ()
    sources: Mapping[str, str] = MappingProxyType({})

    @property
    def arms(self) -> list[str]:
        """All arms, in the order in which they first come."""
        return list(dict.fromkeys(name for row in self.rows for name in row.figures))


class _FigureForm(TypedDict):
    median: float
    low: float
    high: float
    processor: float
    peak: float
    rounds: int


class _RowFacts(TypedDict):
    operation: str
    material: str
    sizes: dict[str, int]
    against: str
    unit: str
    bound: float | None
    threshold: float | None
    memory: float | None
    facts: dict[str, float]
    of: str


class _RowForm(_RowFacts):
    figures: dict[str, _FigureForm]


class _Facts(TypedDict):
    bench: str
    question: str
    command: list[str]
    date: str
    revision: str
    machine: dict[str, str]
    versions: dict[str, str]
    load: dict[str, list[float]]
    seconds: float
    peak: float
    notes: list[str]
    sources: dict[str, str]


class _RecordForm(_Facts):
    form: int
    rows: list[_RowForm]


def encode(record: Record) -> str:
    """Return a record as JSON."""
    rows = [
        {
            **row._asdict(),
            "sizes": dict(row.sizes),
            "figures": {name: each._asdict() for name, each in row.figures.items()},
            "facts": dict(row.facts),
        }
        for row in record.rows
    ]
    told = {**record._asdict(), "rows": rows, "sources": dict(record.sources)}
    return json.dumps({"form": FORM, **told}, indent=1) + "\n"


def decode(text: str, name: str) -> Record:
    """Return the record that JSON tells, of a file called `name`.

    Raises:
        FormError: it tells none.
    """
    try:
        found = cast("_RecordForm", json.loads(text))
        if found["form"] != FORM:
            raise FormError(name)
        facts = {key: value for key, value in found.items() if key not in {"form", "rows"}}
        return Record(rows=[*map(_row, found["rows"])], **cast("_Facts", facts))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormError(name) from error


def _row(form: _RowForm) -> Row:
    figures = {name: Figure(**each) for name, each in form["figures"].items()}
    facts = {key: value for key, value in form.items() if key != "figures"}
    return Row(figures=figures, **cast("_RowFacts", facts))
