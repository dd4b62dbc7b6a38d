import json

import pytest

from bench.measuring.record import FORM, FormError, decode, encode
from tests.builders.benchrecord import record, row


def test_a_record_reads_back_as_it_was() -> None:
    made = record(
        [
            row({"oxy": 0.1, "git": 0.05}, bound=3, files=10),
            row({"library": 0.1}, threshold=0.2)._replace(unit="MB", facts={"walk ms": 1.5}),
        ]
    )
    told = decode(encode(made), "a.json")
    assert encode(told) == encode(made)
    assert told.rows[0].figures == made.rows[0].figures
    assert told.rows[1].facts == {"walk ms": 1.5}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"form": 2}', '{"form": 2, "rows": [{}]}'])
def test_what_is_no_record_is_refused_by_name(text: str) -> None:
    with pytest.raises(FormError, match=r"a\.json"):
        decode(text, "a.json")


def test_a_record_of_another_form_is_refused() -> None:
    whole = json.loads(encode(record([])))
    with pytest.raises(FormError):
        decode(json.dumps(whole | {"form": FORM + 1}), "a.json")


def test_a_row_is_ok_only_under_every_limit_that_it_has() -> None:
    arms = {"library": 0.09, "oxy": 0.29, "git": 0.1}
    assert row(arms, bound=3, threshold=0.1, memory=21).verdict == "ok"
    assert row(arms, bound=2.8, threshold=0.1).verdict == "over"
    assert row(arms, bound=3, threshold=0.08).verdict == "over"
    assert row(arms, bound=3, threshold=0.1, memory=19).verdict == "over"


def test_a_row_without_limits_is_neither_ok_nor_over() -> None:
    assert row({"oxy": 9, "git": 1}).verdict == ""
    assert row({"oxy": 9}, memory=21).verdict == ""
    assert row({"oxy": 9}, memory=19).verdict == "over"


def test_what_oxy_cannot_do_is_not_built() -> None:
    assert row({"git": 1}).verdict == "not built"
    assert row({}, threshold=1).verdict == "not built"


def test_the_winner_is_told_with_the_runner_up_and_the_margin() -> None:
    found = row({"oxy": 0.3, "git": 0.1, "hg": 0.5})
    assert (found.winner, found.runner_up) == ("git", "oxy")
    assert found.margin == pytest.approx(2)
    assert row({"oxy": 0.105, "git": 0.1}).margin == 0
    assert row({"oxy": 0.1}).margin is None


def test_a_ratio_may_be_of_an_arm_that_is_named_or_of_the_library() -> None:
    arms = {"fast": 0.1, "safe": 0.3, "git": 0.2}
    assert row(arms)._replace(of="safe").ratio == pytest.approx(1.5)
    assert row({"library": 0.1, "git": 0.2}).ratio == pytest.approx(0.5)
    assert row({"library": 0.1, "git": 0.2}).winner == "library"


def test_ratios_are_of_processes_and_the_winner_is_one() -> None:
    found = row({"library": 0.01, "oxy": 0.3, "git": 0.1, "hg": 0.5})
    assert found.ratio == pytest.approx(3)
    assert found.processor_ratio == pytest.approx(3)
    assert found.winner == "git"
    assert row({"library": 0.01, "oxy": 0.3}).winner == ""
    assert row({"library": 0.01}).ratio is None


def test_a_row_is_told_against_the_arm_that_it_names() -> None:
    found = row({"oxy": 0.3, "bare python": 0.2})._replace(against="bare python")
    assert found.ratio == pytest.approx(1.5)


def test_the_arms_of_a_record_are_in_the_order_in_which_they_come() -> None:
    assert record([row({"git": 1}), row({"oxy": 1, "git": 2})]).arms == ["git", "oxy"]
