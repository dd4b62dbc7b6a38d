import pytest

from oxy.actions.clock import DateError, moment_of, now
from oxy.model.change import Moment


@pytest.mark.parametrize(
    ("given", "seconds", "offset"),
    [
        ("2024-05-31T13:45:00+02:00", 1717155900, 120),
        ("2024-05-31 13:45:00 +0200", 1717155900, 120),
        ("2024-05-31T11:45:00Z", 1717155900, 0),
        ("@1717155900 +0200", 1717155900, 120),
        ("1717155900 -0330", 1717155900, -210),
        ("1969-12-31T23:59:59Z", -1, 0),
    ],
)
def test_a_date_is_read_in_each_of_its_forms(given: str, seconds: int, offset: int) -> None:
    assert moment_of(given) == Moment(seconds * 1_000_000, offset)


def test_parts_of_a_second_are_kept() -> None:
    assert moment_of("1970-01-01T00:00:00.000001Z") == Moment(1, 0)


@pytest.mark.parametrize("given", ["", "soon", "@1 +02", "@1 x0200", "@1 2 3", "2024-13-01"])
def test_what_is_no_date_is_refused(given: str) -> None:
    with pytest.raises(DateError):
        moment_of(given)


def test_time_goes_on() -> None:
    assert now().microseconds <= now().microseconds


def test_a_date_is_its_first_moment_and_words_count_back() -> None:
    assert moment_of("2024-05-31").microseconds == moment_of("2024-05-31T00:00").microseconds
    assert moment_of("yesterday").microseconds < now().microseconds
