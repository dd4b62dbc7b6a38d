from bench.measuring.table import by_arm, filled, margin_told, own_facts, shown
from tests.builders.benchrecord import record, row


def test_a_run_is_told_by_times_costs_and_the_machine() -> None:
    text = shown(record([row({"oxy": 0.1, "git": 0.05}, bound=3, files=1_000)]))
    times, costs, under = text.split("\n\n")
    assert times.splitlines()[0] == (
        "| flat, 1,000 files | oxy ms | git ms | ratio | bound"
        " | winner | runner-up | margin |  |"
    )
    assert (
        times.splitlines()[2]
        == "| status | 100 ± 10 | 50 ± 5 | 2.00 | 3 | git | oxy | 2 times | ok |"
    )
    assert costs.splitlines()[2] == "| status | 50 | 25 | 2.00 | 20 | 20 |"
    assert (
        "2 cores (some), 8 GB. Linux, ext4. git 2.39. load 0.5 before and 0.6 after." in under
    )


def test_what_a_system_cannot_do_and_what_ended_too_soon_is_told() -> None:
    rows = [row({"oxy": 0.1}), row({"git": 0.1}, "gc")]
    rows[0] = rows[0]._replace(figures={"oxy": rows[0].figures["oxy"]._replace(peak=0)})
    text = shown(record(rows))
    assert "| status | 100 ± 10 | - |  |" in text
    assert "| gc | - | 100 ± 10 | not built |" in text
    assert "too short" in text


def test_what_was_counted_of_an_arm_is_in_a_row_of_that_arm() -> None:
    arms = {"safe": 0.1, "safe, 16 a sync": 0.05}
    facts = {"safe syncs": 6, "safe, 16 a sync syncs": 0.5, "runs": 3}
    made = record([row(arms)._replace(facts=facts)])
    assert own_facts(made) == ["runs"]
    head, lines = by_arm(made)
    assert head == ["flat", "syncs"]
    assert lines == [["status: safe", "6"], ["status: safe, 16 a sync", "0.5"]]
    assert "| status: safe | 6 |" in shown(made)


def test_a_margin_is_told_in_percent_in_times_or_as_chance() -> None:
    assert [margin_told(value) for value in (None, 0, 0.25, 2)] == [
        "",
        "in the noise",
        "25%",
        "3 times",
    ]


def test_sizes_are_told_in_each_row_only_where_they_differ() -> None:
    rows = [row({"oxy": 1, "git": 2}, files=files) for files in (10, 20)]
    text = shown(record(rows))
    assert "| status (flat, 10 files) |" in text
    assert "| status (flat, 20 files) |" in text


def test_one_arm_at_sizes_of_one_kind_is_a_curve_with_its_exponent() -> None:
    rows = [row({"library": files / 1e4}, files=files) for files in (10, 20, 40)]
    text = shown(record(rows)).splitlines()
    assert text[0] == "|  |  |  |  | exponent |  |"
    assert text[2] == "| status, ms | 10: 1 | 20: 2 | 40: 4 | 1.00 | ok |"
    steep = [row({"library": files**2 / 1e4}, files=files) for files in (10, 20, 40)]
    assert "| 2.00 | over |" in shown(record(steep))


def test_one_arm_at_sizes_of_two_kinds_is_a_table_of_how_it_grows() -> None:
    rows = [
        row({"library": 0.001}, files=10, changes=2),
        row({"library": 0.002}, files=10, changes=4),
    ]
    ms, megabytes, _ = shown(record(rows)).split("\n\n")
    head = "flat, 10 files, 2 changes | flat, 10 files, 4 changes |"
    assert ms.splitlines()[0] == f"| ms | {head}"
    assert ms.splitlines()[2] == "| status | 1 | 2 |"
    assert megabytes.splitlines()[2] == "| status | 20 | 20 |"


def test_columns_that_hold_nothing_are_left_out() -> None:
    assert filled(["a", "b", "c"], [["x", "", "1"]]).splitlines()[0] == "| a | c |"
    assert filled(["a", "b"], [["x", ""]]) == ""
