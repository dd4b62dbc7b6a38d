"""Tables in Markdown: that of a run, and the facts that belong under it."""

from collections.abc import Sequence
from typing import Final

from bench.measuring.curve import STEEP, Curve
from bench.measuring.figures import Figure
from bench.measuring.record import OK, OVER, Record, Row

_MS: Final = 1e3


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; every column but the first is of numbers."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows])


def filled(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table without the columns that are empty; nothing where only names are left."""
    kept = [at for at in range(len(head)) if not at or any(row[at] for row in rows)]
    if len(kept) == 1:
        return ""
    return table([head[at] for at in kept], [[row[at] for at in kept] for row in rows])


def shown(record: Record) -> str:
    """Return a run as people read it: times, then what they cost, then the facts.

    Where one arm was measured at several sizes, it is shown how that grows.
    """
    arms = record.arms
    if len(arms) == 1 and len({measure(row) for row in record.rows}) > 1:
        return "\n\n".join([*_grown(record.rows, arms[0]), *record.notes, under(record)])
    facts = own_facts(record)
    what, names = _names(record.rows)
    limits = ["ratio", "bound", "threshold ms", "winner", "runner-up", "margin", ""]
    times = [[name, *_times(row, arms)] for name, row in zip(names, record.rows, strict=True)]
    spent = [f"{name} cpu ms" for name in arms]
    peaks = [f"{name} MB" for name in arms] if _is_seen(record) else []
    costs = [
        [
            name,
            *_costs(row, arms)[: len(spent) + 1 + len(peaks)],
            *(_fact(row, fact) for fact in facts),
        ]
        for name, row in zip(names, record.rows, strict=True)
    ]
    tables = (
        filled([what, *(f"{name} ms" for name in arms), *limits], times),
        filled([what, *spent, "cpu ratio", *peaks, *facts], costs),
        filled(*by_arm(record)),
    )
    return "\n\n".join([*filter(None, tables), *record.notes, under(record)])


def own_facts(record: Record) -> list[str]:
    """Return the names of what was counted of a whole row, of no single arm."""
    names = dict.fromkeys(name for row in record.rows for name in row.facts)
    return [name for name in names if not _of_arm(name, record.arms)]


def by_arm(record: Record) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of what was counted of each arm: a row for each of both."""
    arms = record.arms
    said = [(name, _of_arm(name, arms)) for row in record.rows for name in row.facts]
    whats = list(dict.fromkeys(name[len(arm) + 1 :] for name, arm in said if arm))
    what, names = _names(record.rows)
    lines = [
        [f"{name}: {arm}", *(_fact(row, f"{arm} {each}") for each in whats)]
        for name, row in zip(names, record.rows, strict=True)
        for arm in row.figures
    ]
    return [what, *whats], [line for line in lines if any(line[1:])]


def _of_arm(name: str, arms: Sequence[str]) -> str:
    """Return the arm that a fact's name begins with, if it does."""
    return next((arm for arm in arms if name.startswith(f"{arm} ")), "")


def _is_seen(record: Record) -> bool:
    """Whether the memory of any arm was looked at."""
    return any(each.peak for row in record.rows for each in row.figures.values())


def pivot(rows: Sequence[Row], arm: str, field: str) -> str:
    """Return how a figure of one arm grows: a row for each operation, a column for each size.

    Args:
        rows: of several sizes.
        arm: whose figures.
        field: `median`, in milliseconds, or `peak`, in MB.
    """
    sizes = list(dict.fromkeys(measure(row) for row in rows))
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        each = row.figures.get(arm)
        cell = "-" if each is None else _digits(each.peak)
        if each is not None and field == "median":
            cell = _digits(each.median * (_MS if row.unit == "s" else 1))
        found.setdefault(row.operation, {})[measure(row)] = cell
    lines = [[name, *(cells.get(size, "-") for size in sizes)] for name, cells in found.items()]
    return table(["ms" if field == "median" else "MB", *sizes], lines)


def curves(rows: Sequence[Row], arm: str) -> str:
    """Return what an arm took at each size of each operation, and the exponent that fits."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.operation, []).append(row)
    lines = [_curve(each, arm) for each in found.values()]
    width = max(map(len, lines))
    head = [""] * (width - 2) + ["exponent", ""]
    return table(
        head, [[*line[:-2], *[""] * (width - len(line)), *line[-2:]] for line in lines]
    )


def _curve(rows: Sequence[Row], arm: str) -> list[str]:
    scale, unit = (_MS, "ms") if rows[0].unit == "s" else (1, rows[0].unit)
    sizes = [next(iter(row.sizes.values())) for row in rows]
    values = [row.figures[arm].median * scale for row in rows]
    told = [f"{size:,}: {_digits(value)}" for size, value in zip(sizes, values, strict=True)]
    exponent = Curve(sizes, values).exponent
    verdict = OVER if exponent > STEEP else OK
    return [f"{rows[0].operation}, {unit}", *told, f"{exponent:.2f}", verdict]


def _grown(rows: Sequence[Row], arm: str) -> list[str]:
    """Return tables of how one arm grows: by each size, or by several sizes at once."""
    if max(len(row.sizes) for row in rows) == 1:
        return [curves(rows, arm)]
    return [pivot(rows, arm, field) for field in ("median", "peak")]


def measure(row: Row) -> str:
    """Return on how much of what a row was measured."""
    sizes = (f"{count:,} {name}" for name, count in row.sizes.items())
    return ", ".join(part for part in (row.material, *sizes) if part)


def _names(rows: Sequence[Row]) -> tuple[str, list[str]]:
    """Return what stands over the names of rows, and these; with sizes only if they differ."""
    over = only_measure(rows)
    if over is not None:
        return over, [row.operation for row in rows]
    pairs = [(row.operation, measure(row)) for row in rows]
    return "", [f"{name} ({size})" if size else name for name, size in pairs]


def only_measure(rows: Sequence[Row]) -> str | None:
    """Return on how much of what all rows were measured; None where they differ."""
    measures = {measure(row) for row in rows}
    return measures.pop() if len(measures) == 1 else None


def under(record: Record) -> str:
    """Return the facts about a run, as a sentence."""
    machine, load = record.machine, record.load
    facts = [
        f"{machine['cores']} cores ({machine['processor']}), {machine['memory']}",
        f"{machine['system']}, {machine['file system']}",
        "; ".join(f"{name} {version}" for name, version in record.versions.items()),
        f"load {load['before'][0]:.1f} before and {load['after'][0]:.1f} after",
        f"{record.seconds:.0f} s and {record.peak:.0f} MB for the whole run",
        f"{record.date}, revision {record.revision or 'not known'}",
    ]
    return ". ".join(facts) + "."


def told(figure: Figure | None, unit: str = "s") -> str:
    """Return a median with half its 95% interval; milliseconds for seconds."""
    if figure is None:
        return "-"
    scale = _MS if unit == "s" else 1
    spread = (figure.high - figure.low) / 2 * scale
    return f"{_digits(figure.median * scale)} ± {_digits(spread)}"


def _digits(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"  # noqa: PLR2004 - three digits


def ratio_told(value: float | None) -> str:
    """Return a ratio, or nothing."""
    return "" if value is None else f"{value:.2f}"


def margin_told(value: float | None) -> str:
    """Return by how much a winner wins, or that it may be chance."""
    if value is None:
        return ""
    if value >= 1:
        return f"{value + 1:.3g} times"
    return f"{value:.0%}" if value else "in the noise"


def limit_told(value: float | None, scale: float = 1) -> str:
    """Return a limit, or nothing."""
    return "" if value is None else f"{value * scale:g}"


def _times(row: Row, arms: Sequence[str]) -> list[str]:
    return [
        *(told(row.figures.get(name), row.unit) for name in arms),
        ratio_told(row.ratio),
        limit_told(row.bound),
        limit_told(row.threshold, _MS if row.unit == "s" else 1),
        row.winner,
        row.runner_up,
        margin_told(row.margin),
        row.verdict,
    ]


def _costs(row: Row, arms: Sequence[str]) -> list[str]:
    figures = row.figures
    spent = [_digits(figures[n].processor * _MS) if n in figures else "-" for n in arms]
    return [*spent, ratio_told(row.processor_ratio), *(peak(figures.get(n)) for n in arms)]


def _fact(row: Row, name: str) -> str:
    return _digits(row.facts[name]) if name in row.facts else ""


def peak(figure: Figure | None) -> str:
    """Return a peak in MB; a process may have ended before anybody looked."""
    if figure is None:
        return "-"
    return f"{figure.peak:,.0f}" if figure.peak else "too short"
