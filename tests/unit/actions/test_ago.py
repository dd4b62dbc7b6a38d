import pytest

from oxy.actions.ago import before
from oxy.model.change import Moment

SECOND = 1_000_000
NOW = Moment(1_717_155_900 * SECOND, 120)


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("now", 0),
        ("yesterday", 86_400),
        ("2 days ago", 2 * 86_400),
        ("2.days.ago", 2 * 86_400),
        ("An hour ago", 3600),
        ("90 minutes ago", 5400),
        ("1 second ago", 1),
        ("3 weeks ago", 21 * 86_400),
        ("a month ago", 30 * 86_400),
        ("one year ago", 365 * 86_400),
        # 13:45 there.
        ("today", 13 * 3600 + 45 * 60),
    ],
)
def test_words_say_how_long_ago(given: str, seconds: int) -> None:
    assert before(given, NOW) == Moment(NOW.microseconds - seconds * SECOND, 120)


@pytest.mark.parametrize(
    "given",
    ["", "soon", "days ago", "2 days", "\u0662 days ago", "1234567 days ago", "2 moons ago"],
)
def test_other_words_say_nothing(given: str) -> None:
    assert before(given, NOW) is None
