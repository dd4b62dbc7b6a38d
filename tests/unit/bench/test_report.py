import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from bench.measuring.record import Record, encode
from bench.report.__main__ import main
from bench.report.chart import axis, chart, short
from bench.report.curves import plots
from bench.report.page import page
from tests.builders.benchrecord import record, row


def grown() -> Record:
    """Return a run of two operations at three sizes."""
    return record(
        [
            row({"oxy": files / 1e4, "git": files / 2e4}, operation, bound=3, files=files)
            for files in (10, 100, 1_000)
            for operation in ("status", "log <all>")
        ]
    )


def cells(html: str) -> list[list[str]]:
    """Return the texts of the cells of every row of every table, without tags."""
    found = re.findall(r"<tr>(<td.*?)</tr>", html, re.DOTALL)
    return [
        [re.sub(r"<[^>]+>", " ", cell).strip() for cell in re.findall(r"<td.*?</td>", each)]
        for each in found
    ]


def test_the_page_holds_every_row_of_every_run() -> None:
    other = record([row({"library": 0.5}, "fsck", threshold=2)], "threshold")
    html = page([grown(), other], "")
    text = [" ".join(row) for row in cells(html)]
    for files in ("10", "100", "1,000"):
        for operation in ("status", "log &lt;all&gt;"):
            assert any(operation in row and f"flat, {files} files" in row for row in text)
    assert any("fsck" in row and "500 ± 50 ms" in row and "2000 ms" in row for row in text)


def test_the_page_tells_winner_ratio_bound_and_verdict() -> None:
    html = page([record([row({"oxy": 0.4, "git": 0.1}, bound=3)])], "")
    assert cells(html)[-1][3:] == ["4.00", "3", "git", "oxy", "4 times", "over"]
    assert '<td class="over">over</td>' in html
    assert "0 rows within their limits, 1 over" in html


def test_nothing_that_was_measured_can_be_markup() -> None:
    bad = '<script>"x"&amp;</script>'
    made = record([row({bad: 0.2, "oxy": 0.1, "git": 0.1}, bad, files=1)], bad)
    html = page([made._replace(question=bad, command=[bad], revision=bad)], "")
    assert "<script" not in html
    assert html.count("&lt;script&gt;&quot;x&quot;&amp;amp;&lt;/script&gt;") >= 5


def test_the_page_needs_nothing_beside_it() -> None:
    html = page([grown()], "p { color: red }")
    assert "p { color: red }" in html
    assert not re.search(r"(src|href|url|@import)\s*[=(]", html)


def test_the_furthest_behind_come_first() -> None:
    rows = [row({"oxy": ratio, "git": 1.0}, f"times {ratio}") for ratio in range(1, 15)]
    found = cells(page([record(rows)], ""))[:10]
    assert [row[2] for row in found] == [f"{ratio}.00" for ratio in range(14, 4, -1)]


def test_a_curve_is_one_operation_over_one_size_and_a_later_run_counts() -> None:
    later = record([row({"oxy": 7.0, "git": 0.005}, files=100)], date="2026-01-02")
    (status, log) = plots([later, grown()], "files", "median")
    assert (status.title, status.over, status.unit) == ("status (flat)", "files", "ms")
    assert status.curves["oxy"] == [(10, 1.0), (100, 7000.0), (1_000, 100.0)]
    assert log.title == "log <all> (flat)"
    assert plots([grown()], "changes", "median") == []


def test_sizes_beside_the_one_that_is_drawn_over_are_kept_apart() -> None:
    rows = [
        row({"library": 1.0}, files=files, changes=changes)
        for files, changes in ((10, 1), (20, 1), (10, 2))
    ]
    (files,) = plots([record(rows)], "files", "median")
    (changes,) = plots([record(rows)], "changes", "median")
    assert (files.title, [x for x, _ in files.curves["library"]]) == (
        "status (flat, 1 changes)",
        [10, 20],
    )
    assert (changes.title, [x for x, _ in changes.curves["library"]]) == (
        "status (flat, 10 files)",
        [1, 2],
    )


def test_memory_that_nobody_saw_is_not_drawn() -> None:
    unseen = [
        each._replace(figures={"oxy": each.figures["oxy"]._replace(peak=0)})
        for each in grown().rows
    ]
    assert plots([record(unseen)], "files", "peak") == []
    assert plots([grown()], "files", "peak")[0].unit == "MB"


def test_a_chart_is_well_formed_and_has_every_point_in_its_frame() -> None:
    drawn = ET.fromstring(  # noqa: S314 - made just here
        chart({"oxy": [(10, 1), (1e5, 900)], "<b>": [(10, 5)]}, "ms")
    )
    dots = drawn.findall(".//circle")
    titles = [dot.findtext("title") for dot in dots]
    assert titles == ["oxy: 1 ms at 10", "oxy: 900 ms at 100,000", "<b>: 5 ms at 10"]
    assert all(0 < float(dot.attrib["cx"]) < 320 for dot in dots)
    assert all(0 < float(dot.attrib["cy"]) < 190 for dot in dots)
    assert {"10 ms", "100 ms", "10", "100k"} <= {each.text for each in drawn.iter("text")}


def test_an_axis_of_one_value_has_room_and_ticks() -> None:
    found = axis([5], 0, 100)
    assert found.at(5) == pytest.approx(50)
    assert list(axis([4, 30], 0, 1).ticks()) == [5, 10, 20]


def test_numbers_are_short() -> None:
    assert [short(value) for value in (0.25, 20, 1_500, 100_000, 2e6)] == [
        "0.25",
        "20",
        "1.5k",
        "100k",
        "2M",
    ]


def test_files_become_a_page_and_what_is_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad, output = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "out" / "p"
    good.write_text(encode(grown()))
    bad.write_text("{}")
    monkeypatch.setattr(sys, "argv", ["report", str(good), "-o", str(output)])
    main()
    assert "log &lt;all&gt;" in output.read_text()
    assert "prefers-color-scheme: dark" in output.read_text()
    monkeypatch.setattr(sys, "argv", ["report", str(good), str(bad)])
    with pytest.raises(SystemExit, match=r"bad\.json"):
        main()
