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
    """A stretch of the lines of one text, with what lies before and after it unsplit."""

    __slots__ = ("_after", "_before", "_reach", "_text", "lines", "start")

    def __init__(self, text: bytes, start: int, begin: int, end: int) -> None:
        """Take the lines of text[begin:end]; the first of them is line number `start`."""
        self._text = text
        self._before = begin
        self._after = end
        self._reach = _FIRST_REACH
        self.lines = split_lines(text[begin:end])
        self.start = start

    @classmethod
    def of_lines(cls, lines: Sequence[bytes]) -> "Window":
        """Take lines that are split already, all of them."""
        window = cls(b"", 0, 0, 0)
        window.lines = list(lines)
        return window

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
        if self._after == len(self._text):
            return None
        self._extend_down()
        return self.line(number)

    def count_before(self, key: bytes) -> int:
        """Return how often a line stands before the middle; a run of blank lines counts half."""
        pattern = b"\n" + key + b"\n"
        return self._text.count(pattern, 0, self._before)

    def _extend_up(self) -> None:
        text, end = self._text, self._before
        begin = text.rfind(b"\n", 0, max(end - self._reach, 0)) + 1
        lines = split_lines(text[begin:end])
        self._before = begin
        self._reach *= 2
        self.lines[:0] = lines
        self.start -= len(lines)

    def _extend_down(self) -> None:
        text, begin = self._text, self._after
        end = text.find(b"\n", begin + self._reach) + 1 or len(text)
        self._after = end
        self._reach *= 2
        self.lines += split_lines(text[begin:end])
