"""Ranges of lines, as a user writes them (spec: command-line, L52).

    range  =  [end] [`,` [end]]          START,END   START,   ,END   START alone: to the last
    end    =  digits | `+` digits | `-` digits | `/` regular expression `/`

An END that begins with `+` or `-` counts from START; `/…/` is the first line that matches, from
the first line on for START, behind START for END.
"""

from __future__ import annotations

from oxy.errors import RequestError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

DIGITS = 9


class RangeError(RequestError):
    """A range of lines cannot be read, or is not in the file."""

    def __init__(self, given: str, rule: str) -> None:
        super().__init__(f"-L {given}: {rule}")
        self.given = given
        self.rule = rule


def parted(given: str) -> tuple[str, str]:
    """Return the range and the path of `RANGE:PATH`; a colon within `/…/` ends no range.

    Raises:
        RangeError: there is no path.
    """
    at, inside = 0, False
    while at < len(given) and (inside or given[at] != ":"):
        if given[at] == "\\":
            at += 1
        elif given[at] == "/":
            inside = not inside
        at += 1
    if not given[at + 1 :]:
        raise RangeError(given, "write START,END:PATH")
    return given[:at], given[at + 1 :]


def resolved(given: str, lines: Sequence[bytes]) -> tuple[int, int]:
    """Return the first and the last line that a range means, from 1.

    Raises:
        RangeError: it cannot be read, or begins behind the last line.
    """
    start, end = halves(given)
    if not start and not end:
        raise RangeError(given, "write START,END")
    first = place(given, start, lines, 0) if start else 1
    if first > len(lines) and not end:
        raise RangeError(given, beyond(len(lines)))
    if end[:1] in ("+", "-"):
        count = counted(given, end[1:])
        if not count:
            raise RangeError(given, "it is empty")
        first, last = (
            (first, first + count - 1) if end[0] == "+" else (max(1, first - count + 1), first)
        )
    else:
        last = place(given, end, lines, first) if end else len(lines)
    first, last = min(first, last), min(max(first, last), len(lines))
    if first > len(lines):
        raise RangeError(given, beyond(len(lines)))
    return first, last


def beyond(count: int) -> str:
    """Return what is said of a line that is behind the last one."""
    return "the file has 1 line" if count == 1 else f"the file has {count} lines"


def halves(given: str) -> tuple[str, str]:
    """Return what stands before and behind the comma; one within `/…/` is none."""
    at, inside = 0, False
    while at < len(given) and (inside or given[at] != ","):
        if given[at] == "\\":
            at += 1
        elif given[at] == "/":
            inside = not inside
        at += 1
    if inside:
        raise RangeError(given, "a / is missing at the end of the expression")
    return given[:at], given[at + 1 :]


def place(given: str, end: str, lines: Sequence[bytes], after: int) -> int:
    """Return the line that one end means."""
    if not end.startswith("/"):
        found = counted(given, end)
        if not found:
            raise RangeError(given, "lines count from 1")
        return found
    from oxy.actions.expression import ExpressionError, expression

    if len(end) < len("/./") or not end.endswith("/"):
        raise RangeError(given, "an expression stands between two /")
    try:
        wanted = expression(end[1:-1].replace("\\/", "/"))
    except ExpressionError as error:
        raise RangeError(given, str(error)) from error
    for number, line in enumerate(lines[after:], after + 1):
        if wanted.search(line.decode("utf-8", "surrogateescape")):
            return number
    raise RangeError(given, f"no line matches {end}")


def counted(given: str, digits: str) -> int:
    """Return a whole number."""
    if not (digits.isascii() and digits.isdigit() and len(digits) <= DIGITS):
        raise RangeError(given, f"'{digits}' is no number of a line")
    return int(digits)
