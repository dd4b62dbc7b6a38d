"""Times of changes as text (spec: command-line, L18).

datetime would cost 3 ms of start-up, and ends at years that a change may be beyond.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.model.change import Moment

SECOND = 1_000_000
DAY = 86_400
FIRST = -62_135_596_800
LAST = 253_402_300_799
TWO = tuple(f"{number:02d}" for number in range(60))
"""Numbers of two digits."""
ZONES: dict[int, str] = {}
"""Zones that were asked for, as text."""
DATES: dict[int, str] = {}
"""Days that were asked for, as text: a log has many of one day."""

WIDEST = 23 * 60 + 59


def rfc3339(moment: Moment) -> str:
    """Return a time in its own zone, clamped to the years 1 to 9999; with a fraction if any."""
    date, time, fraction, sign, zone = fields(moment)
    tail = f".{fraction:06d}" if fraction else ""
    return f"{date}T{time}{tail}{sign}{zone // 60:02d}:{zone % 60:02d}"


def readable(moment: Moment) -> str:
    """Return a time in its own zone for people: `2026-01-31 12:00:00 +0100`."""
    microseconds, offset = moment
    days, rest = divmod(microseconds // SECOND + offset * 60, DAY)
    if days not in DATES or not -WIDEST <= offset <= WIDEST:
        date, time, _, sign, zone = fields(moment)
        return f"{date} {time} {sign}{zone // 60:02d}{zone % 60:02d}"
    # The same of a day that was asked for before, in half of the time: a log has many.
    if offset not in ZONES:
        sign = "-" if offset < 0 else "+"
        ZONES[offset] = f"{sign}{TWO[abs(offset) // 60]}{TWO[abs(offset) % 60]}"
    time = f"{TWO[rest // 3600]}:{TWO[rest // 60 % 60]}:{TWO[rest % 60]}"
    return f"{DATES[days]} {time} {ZONES[offset]}"


def fields(moment: Moment) -> tuple[str, str, int, str, int]:
    """Return the date, the time of day, microseconds, the sign of the zone and its minutes."""
    offset = max(-WIDEST, min(WIDEST, moment.offset))
    seconds, fraction = divmod(moment.microseconds, SECOND)
    local = seconds + offset * 60
    if not FIRST <= local <= LAST:
        local, fraction = max(FIRST, min(LAST, local)), 0
    days, rest = divmod(local, DAY)
    if days not in DATES:
        year, month, day = civil(days)
        DATES[days] = f"{year:04d}-{month:02d}-{day:02d}"
    hour, minute, second = rest // 3600, rest // 60 % 60, rest % 60
    time = f"{hour:02d}:{minute:02d}:{second:02d}"
    return DATES[days], time, fraction, "-" if offset < 0 else "+", abs(offset)


def civil(days: int) -> tuple[int, int, int]:
    """Return the year, month and day of a day counted from 1 January 1970.

    Years are taken to begin in March, so that the leap day is their last.
    """
    era, day = divmod(days + 719_468, 146_097)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    third = (5 * day + 2) // 153
    month = third + 3 if third < 10 else third - 9  # noqa: PLR2004 - March is month 0
    return year + era * 400 + (month <= 2), month, day - (153 * third + 2) // 5 + 1  # noqa: PLR2004 - likewise
