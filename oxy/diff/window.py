"""The lines of one text around its changed middle, read outwards only as far as asked for.

Most of a text is common head and tail that a diff never looks at; sliding an edit looks at a
few of those lines. Spec: diff. Pure.
"""

from collections.abc import Sequence
from oxy.typed import Protocol

_FIRST_REACH = 2048


def split_lines(text: bytes) -> list[bytes]:
    """Split a text at LF into keys of its lines.

    A key is the line without its LF; a last line that has none gets one, which no other key can
    hold, so that it differs from the same line with its end.
    """
    lines = text.split(b"\n")
    last = lines.pop()
    if last:
        lines.append(last + b"\n")
    return lines


class Window(Protocol):
    """One text, of which a stretch of lines is in question."""

    @property
    def middle(self) -> Sequence[bytes]:
        """The lines in question."""

    @property
    def start(self) -> int:
        """The line number of the first line of the middle."""

    def line(self, number: int) -> bytes | None:
        """Return the key of a line by its number in the text, or None outside the text."""

    def outside(self) -> list[bytes]:
        """Return the lines before and after the middle, all of them."""


class TextWindow:
    """A window on the bytes of a text; what lies outside the middle is split on demand."""

    __slots__ = (
        "_after",
        "_before",
        "_begin",
        "_end",
        "_first",
        "_lines",
        "_reach",
        "_stop",
        "_text",
        "middle",
        "start",
    )

    def __init__(self, text: bytes, start: int, begin: int, end: int, stop: int) -> None:
        """Take the lines of text[begin:end]; nothing from `stop` on is ever looked at."""
        self.middle = self._lines = split_lines(text[begin:end])
        self.start = self._first = start
        self._text = text
        self._begin = self._before = begin
        self._end = self._after = end
        self._stop = stop
        self._reach = _FIRST_REACH

    def line(self, number: int) -> bytes | None:
        """Return the key of a line by its number in the text, or None outside the text."""
        while number < self._first:
            if not self._before:
                return None
            self._extend_up()
        at = number - self._first
        if at >= len(self._lines):
            if self._after == self._stop:
                return None
            self._extend_down()
            return self.line(number)
        return self._lines[at]

    def outside(self) -> list[bytes]:
        """Return the lines before and after the middle, all of them up to the stop."""
        text = self._text
        return split_lines(text[: self._begin]) + split_lines(text[self._end : self._stop])

    def _extend_up(self) -> None:
        text, end = self._text, self._before
        begin = text.rfind(b"\n", 0, max(end - self._reach, 0)) + 1
        lines = split_lines(text[begin:end])
        self._before = begin
        self._first -= len(lines)
        self._reach *= 2
        self._lines = lines + self._lines

    def _extend_down(self) -> None:
        self._lines = self._lines + split_lines(self._text[self._after : self._stop])
        self._after = self._stop


class ListWindow:
    """A window on lines that are split already."""

    __slots__ = ("_end", "_lines", "middle", "start")

    def __init__(self, lines: Sequence[bytes], start: int, end: int) -> None:
        """Take lines[start:end] as the middle."""
        self.middle = lines[start:end]
        self.start = start
        self._lines = lines
        self._end = end

    def line(self, number: int) -> bytes | None:
        """Return a line by its number, or None outside the text."""
        return self._lines[number] if 0 <= number < len(self._lines) else None

    def outside(self) -> list[bytes]:
        """Return the lines before and after the middle, all of them."""
        return [*self._lines[: self.start], *self._lines[self._end :]]
