"""What time it is, and what time a user means (spec: command-line, L41; model, M16)."""

import time
from oxy.typed import Final

from oxy.errors import RequestError
from oxy.model.change import Moment

_MICRO: Final = 1_000_000
_MINUTES: Final = 60
_MAX_OFFSET: Final = 1440


class DateError(RequestError):
    """A text is no date."""

    def __init__(self, given: str) -> None:
        super().__init__(
            f"'{given}' is no date: write 2024-05-31T13:45:00+02:00, @SECONDS +HHMM, "
            "yesterday or 2 days ago"
        )
        self.given = given


def now() -> Moment:
    """Return the time, with the offset from UTC that holds here."""
    microseconds = time.time_ns() // 1000
    return Moment(microseconds, _local_offset(microseconds // _MICRO))


def moment_of(given: str) -> Moment:
    """Return the time that a user means.

    RFC 3339, or a date, which is its first moment; seconds since the epoch as Git has them; or
    words (`oxy.actions.ago`). Without an offset the local one is meant.

    Raises:
        DateError: it is none of these.
    """
    from oxy.actions.ago import before

    words = given.split()
    try:
        said = before(given, now())
        if said is not None:
            return said
        if words and words[0].removeprefix("@").lstrip("-").isdecimal():
            return _of_seconds(int(words[0].removeprefix("@")), words[1:])
        return _of_text(given.strip())
    except (ValueError, OverflowError, OSError) as error:
        raise DateError(given) from error


def _of_seconds(seconds: int, rest: list[str]) -> Moment:
    if not rest:
        return Moment(seconds * _MICRO, _local_offset(seconds))
    (zone,) = rest
    if len(zone) != len("+0000") or zone[0] not in "+-":
        raise ValueError(zone)
    offset = int(zone[1:3]) * _MINUTES + int(zone[3:5])
    return Moment(seconds * _MICRO, -offset if zone[0] == "-" else offset)


def _of_text(given: str) -> Moment:
    from datetime import UTC, datetime, timedelta

    head, space, zone = given.rpartition(" ")
    joined = head + zone if space and zone[:1] in {"+", "-"} else given
    meant = datetime.fromisoformat(joined)
    if meant.tzinfo is None:
        meant = meant.astimezone()
    offset = meant.utcoffset() or timedelta()
    since = meant - datetime(1970, 1, 1, tzinfo=UTC)
    return Moment(since // timedelta(microseconds=1), offset // timedelta(minutes=1))


def _local_offset(seconds: int) -> int:
    try:
        offset = time.localtime(seconds).tm_gmtoff // _MINUTES
    except (ValueError, OverflowError, OSError):
        return 0
    return max(-_MAX_OFFSET, min(_MAX_OFFSET, offset))
