from pathlib import Path

import pytest

from bench import compare
from bench.ab import together
from bench.baseline import taken
from bench.compare import compared, drifts
from bench.measuring.record import Record, encode
from tests.builders.benchrecord import record, row


def run_of(seconds: float, left: float = 0, peak: float = 20) -> Record:
    """Return a run of one operation."""
    made = row({"oxy": seconds, "git": 0.1}, files=10)
    figures = {**made.figures, "oxy": made.figures["oxy"]._replace(peak=peak)}
    return record([made._replace(figures=figures, facts={"oxy left KB": left} if left else {})])


def test_what_became_slower_or_fatter_is_named() -> None:
    slower, fatter, larger = drifts(run_of(1, 10), run_of(1.2, 12, 30), 0.1, "median")
    assert str(slower) == "peers: status (flat, 10 files): oxy: ms: 1000 → 1200 (+20%)"
    assert str(fatter).endswith("oxy: MB at the peak: 20 → 30 (+50%)")
    assert str(larger).endswith("oxy: KB left: 10 → 12 (+20%)")


def test_what_stays_within_the_tolerance_is_no_drift_and_what_became_faster_is_one() -> None:
    assert not list(drifts(run_of(1), run_of(1.09), 0.1, "median"))
    assert not list(drifts(run_of(1), run_of(1.5), 0.6, "processor"))
    (faster,) = drifts(run_of(1), run_of(0.8), 0.1, "processor")
    assert (faster.old, faster.new) == (500, 400)


def test_what_a_peer_takes_is_no_drift() -> None:
    old, new = run_of(1), run_of(1)
    figures = {**new.rows[0].figures, "git": new.rows[0].figures["oxy"]}
    assert not list(
        drifts(old, new._replace(rows=[new.rows[0]._replace(figures=figures)]), 0, "median")
    )


def test_a_row_or_an_arm_that_is_gone_is_a_drift() -> None:
    (gone,) = drifts(run_of(1), record([]), 0.1, "median")
    assert str(gone) == "peers: status (flat, 10 files): row: 1 before, none now"
    arm, _ = drifts(run_of(1), record([row({"git": 1}, files=10)]), 0.1, "median")
    assert str(arm).endswith("oxy: ms: 1000 before, none now")


def test_the_exit_code_tells_drift_and_what_cannot_be_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new, other = tmp_path / "old", tmp_path / "new.json", tmp_path / "other.json"
    old.mkdir()
    (old / "peers.json").write_text(encode(run_of(1)))
    new.write_text(encode(run_of(1.5)))
    other.write_text(encode(run_of(1)._replace(machine={"cores": "64"})))
    assert compare.main([str(old), str(new)]) == 1
    assert "oxy: ms: 500 → 750 (+50%)" in capsys.readouterr().out
    assert compare.main([str(old), str(new), "--tolerance", "0.6"]) == 0
    assert compare.main([str(old), str(other)]) == 2
    assert "the machines differ: cores 2 and 64" in capsys.readouterr().err
    assert compare.main([str(old), str(tmp_path / "none")]) == 2


def test_a_baseline_is_replaced_only_where_two_runs_agree(tmp_path: Path) -> None:
    first, near, far = ({"peers": run_of(seconds)} for seconds in (1, 1.05, 2))
    assert taken(first, far, tmp_path) == 1
    assert not list(tmp_path.iterdir())
    assert taken(first, near, tmp_path) == 0
    assert (tmp_path / "peers.json").read_text() == encode(near["peers"])


def test_runs_of_one_side_are_told_by_their_median() -> None:
    runs = [{"peers": run_of(seconds)} for seconds in (1, 5, 2)]
    found = together(runs)["peers"]
    assert found.rows[0].figures["oxy"].median == 2
    assert found.rows[0].figures["oxy"].high == 5
    assert not compared({"peers": found}, {"peers": run_of(2)}, 0.01)
