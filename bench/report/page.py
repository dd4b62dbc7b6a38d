"""The page: one HTML file that needs nothing beside it. Pure."""

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from bench.measuring.figures import Figure
from bench.measuring.record import MISSING, OK, OVER, Record, Row
from bench.measuring.table import (
    by_arm,
    limit_told,
    margin_told,
    measure,
    only_measure,
    own_facts,
    peak,
    ratio_told,
    told,
    under,
)
from bench.report.chart import chart, colour
from bench.report.curves import AXES, MS, plots

WORST: Final = 10
SPAN: Final = 20
"""The ends of the scale of ratios: a twentieth, and twenty times."""
_CLASSES: Final = {OK: "ok", OVER: "over", MISSING: "missing"}


def page(records: Sequence[Record], style: str) -> str:
    """Return the page of some runs, with a style sheet in it."""
    body = [*_head(records), *_worst(records), *_curves(records)]
    for record in records:
        body += _run(record)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>oxy, measured</title><style>\n{style}</style></head>\n"
        f"<body>{''.join(body)}</body></html>\n"
    )


def _head(records: Sequence[Record]) -> Iterator[str]:
    verdicts = [row.verdict for record in records for row in record.rows]
    counts = {name: verdicts.count(name) for name in (OK, OVER, MISSING)}
    said = f"{counts[OK]} rows within their limits, {counts[OVER]} over"
    said += f", {counts[MISSING]} not built" if counts[MISSING] else ""
    yield f"<h1>oxy, measured</h1><p>{said}. Times are medians, with half their 95%"
    yield " interval; beneath them processor time and the peak of memory. Ratios are of"
    yield " whole processes, or of the library where none was measured; a dot on the"
    yield " scale is the ratio, the stroke its bound.</p>"


def _worst(records: Sequence[Record]) -> Iterator[str]:
    """Yield the rows that are furthest behind their peer."""
    rows = [row for record in records for row in record.rows if (row.ratio or 0) > 1]
    rows.sort(key=lambda row: -(row.ratio or 0))
    if not rows:
        return
    yield "<h2>Furthest behind</h2>"
    yield from _table(
        ["", "", "ratio", "of processor time", "bound", ""],
        (
            [
                _cell(escape(row.operation)),
                _cell(escape(measure(row))),
                _ratio(row),
                _cell(ratio_told(row.processor_ratio)),
                _cell(limit_told(row.bound)),
                _verdict(row),
            ]
            for row in rows[:WORST]
        ),
    )


def _curves(records: Sequence[Record]) -> Iterator[str]:
    for over in AXES:
        for field, what in (("median", "Time"), ("peak", "Memory")):
            drawn = plots(records, over, field)
            if not drawn:
                continue
            yield f"<h2>{what} against {over}</h2>"
            yield _legend(dict.fromkeys(arm for plot in drawn for arm in plot.curves))
            yield '<div class="charts">'
            for plot in drawn:
                picture = chart(plot.curves, plot.unit)
                yield f"<figure><h3>{escape(plot.title)}</h3>{picture}</figure>"
            yield "</div>"


def _legend(arms: Iterable[str]) -> str:
    chips = "".join(f'<span class="{colour(arm)}">{escape(arm)}</span>' for arm in arms)
    return f'<div class="legend">{chips}</div>'


def _run(record: Record) -> Iterator[str]:
    """Yield the table of one run."""
    arms = record.arms
    facts = own_facts(record)
    over = only_measure(record.rows)
    title = f"{record.bench}: {over}" if over else record.bench
    yield f"<h2>{escape(title)}</h2><p>{escape(record.question)}</p>"
    head = [
        "",
        *arms,
        "ratio",
        "bound",
        "threshold",
        "winner",
        "runner-up",
        "margin",
        "",
        *facts,
    ]
    yield from _table(
        head, (_row(row, arms, facts, "" if over else measure(row)) for row in record.rows)
    )
    yield from _by_arm(record)
    yield from (f"<p>{escape(note)}</p>" for note in record.notes)
    yield f"<footer>{escape(' '.join(record.command))}. {escape(under(record))}</footer>"


def _by_arm(record: Record) -> Iterator[str]:
    """Yield the table of what was counted of each arm, if anything was."""
    head, lines = by_arm(record)
    if lines:
        yield from _table(head, ([_cell(escape(cell)) for cell in line] for line in lines))


def _row(row: Row, arms: Sequence[str], facts: Sequence[str], size: str) -> list[str]:
    name = escape(row.operation) + (f"<small>{escape(size)}</small>" if size else "")
    threshold = limit_told(row.threshold, MS if row.unit == "s" else 1)
    return [
        _cell(name),
        *(_figure(row, arm) for arm in arms),
        _ratio(row),
        _cell(limit_told(row.bound)),
        _cell(f"{threshold} {_unit(row)}" if threshold else ""),
        _cell(escape(row.winner)),
        _cell(escape(row.runner_up)),
        _cell(margin_told(row.margin)),
        _verdict(row),
        *(_cell(f"{row.facts[fact]:,.4g}" if fact in row.facts else "") for fact in facts),
    ]


def _unit(row: Row) -> str:
    return "ms" if row.unit == "s" else row.unit


def _figure(row: Row, arm: str) -> str:
    each = row.figures.get(arm)
    if each is None:
        return _cell("-")
    costs = [f"{each.processor * MS:,.0f} ms"] if row.unit == "s" else []
    costs += [f"{peak(each)} MB"] if each.peak else []
    best = "best" if arm == row.winner else ""
    return _cell(f"{_median(row, each)}<small>{' · '.join(costs)}</small>", best)


def _median(row: Row, each: Figure) -> str:
    return escape(f"{told(each, row.unit)} {_unit(row)}")


def _ratio(row: Row) -> str:
    if row.ratio is None:
        return _cell("")
    stroke = f'<b style="left:{_place(row.bound):.0f}%"></b>' if row.bound else ""
    dot = f'<i style="left:{_place(row.ratio):.0f}%"></i>'
    return _cell(f'{ratio_told(row.ratio)}<span class="scale">{stroke}{dot}</span>')


def _place(ratio: float) -> float:
    """Return where a ratio is on the scale, in percent; what is beyond is at the end."""
    share = math.log(max(ratio, 1 / SPAN)) / math.log(SPAN)
    return 50 + 50 * min(share, 1)


def _verdict(row: Row) -> str:
    return _cell(escape(row.verdict), _CLASSES.get(row.verdict, ""))


def _cell(html: str, kind: str = "") -> str:
    return f'<td class="{kind}">{html}</td>' if kind else f"<td>{html}</td>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a table of cells that are HTML under heads that are text; no empty columns."""
    lines = list(rows)
    kept = [at for at in range(len(head)) if any(cells[at] != _cell("") for cells in lines)]
    yield '<div class="wide"><table><thead><tr>'
    yield from (f"<th>{escape(head[at])}</th>" for at in kept)
    yield "</tr></thead><tbody>"
    yield from (f"<tr>{''.join(cells[at] for at in kept)}</tr>\n" for cells in lines)
    yield "</tbody></table></div>"
