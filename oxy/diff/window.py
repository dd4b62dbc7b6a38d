"""The lines of one text around its changed middle, read outwards only as far as asked for.

Most of a text is common head and tail that a diff never looks at; sliding an edit looks at a few
of those lines. Spec: diff. Pure.
"""

from collections.abc import Sequence

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


class Window:
    """A stretch of the lines of one text, with what lies before and after it unsplit.

    `lines` is that stretch and `start` the line number of its first line, until `line` or
    `around` is asked for more.
    """

    __slots__ = ("_after", "_before", "_end", "_reach", "_stop", "_text", "lines", "start")

    def __init__(self, text: bytes, start: int, begin: int, end: int, stop: int) -> None:
        """Take the lines of text[begin:end]; nothing from `stop` on is ever looked at."""
        self.lines = split_lines(text[begin:end])
        self.start = start
        self._text = text
        self._before = begin
        self._end = self._after = end
        self._stop = stop
        self._reach = _FIRST_REACH

    @classmethod
    def of_lines(cls, head: Sequence[bytes], middle: Sequence[bytes], tail: Sequence[bytes]) -> "Window":
        raise NotImplementedError

    def line(self, number: int) -> bytes | None:
        """Return the key of a line by its number in the text, or None outside the text."""
        at = number - self.start
        if at < 0:
            if not self._before:
                return None
            self._extend_up()
            return self.line(number)
        if at < len(self.lines):
            return self.lines[at]
        if self._after == self._stop:
            return None
        self._extend_down()
        return self.line(number)

    def count_around(self, key: bytes) -> int:
        """Return how often a line stands outside the middle; a run of blank lines counts half."""
        pattern = b"\n" + key + b"\n"
        text = self._text
        return (
            text.count(pattern, 0, self._before)
            + text.count(pattern, max(self._end - 1, 0), self._stop)
            + text.startswith(pattern[1:], 0, self._before)
        )

    def lines_around(self) -> int:
        """Return how many lines stand outside the middle."""
        return self.start + self._text.count(b"\n", self._end, self._stop)

    def _extend_up(self) -> None:
        text, end = self._text, self._before
        begin = text.rfind(b"\n", 0, max(end - self._reach, 0)) + 1
        lines = split_lines(text[begin:end])
        self._before = begin
        self._reach *= 2
        self.lines[:0] = lines
        self.start -= len(lines)

    def _extend_down(self) -> None:
        self.lines += split_lines(self._text[self._after : self._stop])
        self._after = self._stop
