import pytest

from bench.measuring.operation import Arm, Place, Setting, row_of


def setting(arms: dict[str, Arm], **said: float) -> Setting:
    """Return an operation that does next to nothing."""
    return Setting("count", "numbers", {"numbers": 3}, arms, data=int(said.get("data", 0)))


def test_what_makes_ready_runs_before_each_time_and_the_work_once() -> None:
    order: list[str] = []
    arm = Arm(lambda: order.append("work"), lambda: order.append("before"))
    row = row_of(setting({"library": arm}), 3)
    assert order == ["before", "work"] * 3
    assert row.figures["library"].rounds == 3


def test_what_can_be_repeated_is_until_the_clock_can_tell() -> None:
    counts = [0]

    def work() -> None:
        counts[0] += 1

    figure = row_of(setting({"library": Arm(work)}), 2).figures["library"]
    assert counts[0] > 1_000
    assert 0 < figure.median < 0.001


def test_a_wrong_result_is_no_figure() -> None:
    def wrong() -> None:
        raise AssertionError

    with pytest.raises(AssertionError):
        row_of(setting({"library": Arm(list)})._replace(check=wrong), 1)


def test_bytes_that_pass_and_bytes_that_stay_are_told_of_each_arm(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    place = tmp_path_factory.mktemp("left")
    (place / "some").write_bytes(bytes(2_000))
    (place / "more").write_bytes(bytes(500))
    arms = {
        "library": Arm(list, leaves=str(place)),
        "git": Arm(list, leaves=str(place / "some")),
    }
    row = row_of(setting(arms, data=1_000), 1)
    assert row.facts["library left KB"] == 2.5
    assert row.facts["git left KB"] == 2
    assert row.facts["git MB/s"] > 0


def test_a_share_of_a_size_is_never_nothing() -> None:
    place = Place("", 1)
    assert (place.share(1_000), place.share(10), place.share(10, 4)) == (10, 1, 4)
    assert Place("", 200).share(10) == 10
