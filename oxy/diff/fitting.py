"""Hunks put on a text, where they fit (spec: command-line, L65). Pure.

A hunk fits where all of its old lines stand. It is looked for where it says, and then ever
further up and down, past what the hunk before it changed. One with fewer unchanged lines before
than after its edits that says it begins the file, or with none after them, fits at that end of
the file only; one without any, only where it says.
"""

from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.diff.reading import HunkText
from oxy.errors import RequestError


class UnfitError(RequestError):
    """A hunk fits nowhere; `number` counts from 1, `line` is where it says that it begins."""

    def __init__(self, number: int, line: int) -> None:
        super().__init__(f"hunk {number}, of line {line}, fits nowhere")
        self.number = number
        self.line = line


class Fitted(NamedTuple):
    """A text with hunks, and by how many lines each was off."""

    text: bytes
    offsets: tuple[int, ...]


def fitted(text: bytes, hunks: Sequence[HunkText]) -> Fitted:
    """Return a text with hunks put on it.

    Cost: a hunk that fits where it says costs its lines; one that does not, the text.

    Raises:
        UnfitError: a hunk fits nowhere; the first one is named.
    """
    lines = _lines(text)
    made: list[bytes] = []
    offsets: list[int] = []
    done = drift = 0
    for number, hunk in enumerate(hunks, 1):
        # An empty range names the line before it.
        wanted = max(hunk.start - bool(hunk.old), 0) + drift
        at = _place(lines, hunk, wanted, done)
        if at is None:
            raise UnfitError(number, hunk.start)
        drift += at - wanted
        offsets.append(drift)
        made += lines[done:at]
        made += hunk.new
        done = at + len(hunk.old)
    made += lines[done:]
    if any(not line.endswith(b"\n") for line in made[:-1]):
        # What was the end of the file, without LF, would be in its middle.
        raise UnfitError(len(hunks), hunks[-1].start)
    return Fitted(b"".join(made), tuple(offsets))


def _lines(text: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in text.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _place(lines: Sequence[bytes], hunk: HunkText, wanted: int, done: int) -> int | None:
    old = list(hunk.old)
    last = len(lines) - len(old)
    for at in _places(hunk, wanted, done, last):
        if (not old or lines[at] == old[0]) and lines[at : at + len(old)] == old:
            return at
    return None


def _places(hunk: HunkText, wanted: int, done: int, last: int) -> Iterator[int]:
    """Yield where a hunk may be, the nearest first."""
    only = _anchor(hunk, wanted, last)
    if only is not None:
        if done <= only <= last:
            yield only
        return
    for distance in range(max(wanted - done, last - wanted) + 1):
        for at in {wanted + distance: 0, wanted - distance: 0}:
            if done <= at <= last:
                yield at


def _anchor(hunk: HunkText, wanted: int, last: int) -> int | None:
    """Return the only place where a hunk may be, if there is one."""
    if not hunk.before and not hunk.after:
        # Nothing around it tells its place, so it is where it says.
        return wanted
    if hunk.start <= 1 and hunk.before < hunk.after:
        return 0
    return None if hunk.after else last
