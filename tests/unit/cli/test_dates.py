from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from oxy.cli.dates import readable, rfc3339
from oxy.model.change import Moment

SECOND = 1_000_000


def test_a_time_is_told_in_its_own_zone() -> None:
    moment = Moment(1_700_000_000 * SECOND, -150)
    assert rfc3339(moment) == "2023-11-14T19:43:20-02:30"
    assert readable(moment) == "2023-11-14 19:43:20 -0230"


def test_a_fraction_is_told_where_there_is_one() -> None:
    assert rfc3339(Moment(-1, 0)) == "1969-12-31T23:59:59.999999+00:00"


def test_times_beyond_the_calendar_are_clamped() -> None:
    assert rfc3339(Moment(1 << 62, 0)) == "9999-12-31T23:59:59+00:00"
    assert rfc3339(Moment(-(1 << 62), 0)) == "0001-01-01T00:00:00+00:00"
    assert rfc3339(Moment(0, 1 << 30)) == "1970-01-01T23:59:00+23:59"


@given(
    st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=st.just(UTC)),  # noqa: DTZ001 - hypothesis adds the zone
    st.integers(-1439, 1439),
)
def test_it_is_what_the_calendar_says(when: datetime, offset: int) -> None:
    since = when - datetime(1970, 1, 1, tzinfo=UTC)
    moment = Moment(since // timedelta(microseconds=1), offset)
    zone = timezone(timedelta(minutes=offset))
    assert rfc3339(moment) == when.astimezone(zone).isoformat()
