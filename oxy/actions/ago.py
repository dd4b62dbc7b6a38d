"""Times that are said from now: `yesterday`, `2 days ago` (spec: command-line, L41)."""

from oxy.typed import Final

from oxy.model.change import Moment

_SECOND: Final = 1_000_000
_DAY: Final = 86_400

_UNITS: Final = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": _DAY,
    "week": 7 * _DAY,
    "month": 30 * _DAY,
    "year": 365 * _DAY,
}
"""Seconds of each unit. A month has 30 days here, and a year 365."""

_ONE: Final = frozenset({"a", "an", "one"})
_DIGITS: Final = 6


def before(given: str, now: Moment) -> Moment | None:
    """Return the time that words say, or None if they say none.

    `now`, `today` (the midnight before), `yesterday` (a day ago), `N UNITS ago`. Dots,
    underscores and hyphens may stand for spaces.
    """
    words = given.lower()
    for mark in "._-":
        words = words.replace(mark, " ")
    seconds = _back(words.split(), now)
    if seconds is None:
        return None
    return Moment(now.microseconds - seconds * _SECOND, now.offset)


def _back(words: list[str], now: Moment) -> int | None:
    """Return how many seconds ago it was."""
    match words:
        case ["now"]:
            return 0
        case ["yesterday"]:
            return _DAY
        case ["today"]:
            return (now.microseconds // _SECOND + now.offset * 60) % _DAY
        case [number, unit, "ago"]:
            count, each = _count(number), _UNITS.get(unit.removesuffix("s"))
            return None if count is None or each is None else count * each
    return None


def _count(number: str) -> int | None:
    if number in _ONE:
        return 1
    is_number = number.isascii() and number.isdigit() and len(number) <= _DIGITS
    return int(number) if is_number else None
