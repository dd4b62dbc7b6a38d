"""Lines that match a pattern, found in a stream of bytes (spec: command-line, L67). Pure.

A file is taken in pieces of whole lines, so memory does not grow with it. A piece is searched
at once; what is found is then proven on its line alone, for a pattern sees one line only.
"""

import re  # noqa: TID253 - what it is made of; loaded for that
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from oxy.typed import Final, NamedTuple

from oxy.actions.expression import ExpressionError, expression
from oxy.errors import RequestError

LONGEST: Final = 16 << 20
"""Bytes after which a line without end is cut."""

# What such a pattern says of a whole piece may not be what it says of a line.
_OF_LINES_ONLY: Final = re.compile(r"\\[AZ]|\(\?")
_PLAIN: Final = re.compile(r"[\w \-/,:;=<>@%&~\"'!`#]+", re.ASCII)


class PatternError(RequestError):
    """A pattern is no regular expression."""

    def __init__(self, pattern: str, why: str) -> None:
        super().__init__(f"'{pattern}' is no regular expression: {why}")
        self.pattern = pattern


class Query(NamedTuple):
    """What is looked for: any of some patterns, and how they are meant."""

    patterns: tuple[str, ...]
    ignore_case: bool = False
    words: bool = False
    fixed: bool = False


class Around(NamedTuple):
    """How many lines are shown before and after one that matches."""

    before: int = 0
    after: int = 0


class Hit(NamedTuple):
    """A line by its number from 1, without its LF; without spans it is shown for context.

    Spans are the characters that match, in the text as `os.fsdecode` reads it.
    """

    number: int
    text: str
    spans: tuple[tuple[int, int], ...]
    matches: bool


class Matcher:
    """A query that is ready to be asked."""

    __slots__ = ("_literal", "_of_lines_only", "_pattern")

    def __init__(self, query: Query) -> None:
        """Compile the patterns.

        Raises:
            PatternError: one is no regular expression.
        """
        patterns = [re.escape(p) if query.fixed else p for p in query.patterns]
        for pattern in patterns:
            _compiled(pattern, 0)
        joined = "|".join(f"(?:{pattern})" for pattern in patterns)
        if query.words:
            joined = rf"(?<!\w)(?:{joined})(?!\w)"
        flags = re.MULTILINE | (re.IGNORECASE if query.ignore_case else 0)
        self._pattern = _compiled(joined, flags)
        self._of_lines_only = any(map(_OF_LINES_ONLY.search, patterns)) and not query.fixed
        self._literal = _literal(query)

    def lines(self, piece: bytes) -> Iterator[tuple[int, str]]:
        """Yield (number from 0, line) of the lines of a piece that match."""
        if self._literal is not None and self._literal not in piece:
            return
        text = piece.decode("utf-8", "surrogateescape")
        if self._of_lines_only:
            lines = text.removesuffix("\n").split("\n")
            yield from (
                (at, line) for at, line in enumerate(lines) if self.spans(line) is not None
            )
            return
        number = counted = at = 0
        while at < len(text) and (found := self._pattern.search(text, at)) is not None:
            start = text.rfind("\n", 0, found.start()) + 1
            if start == len(text):
                return
            end = text.find("\n", found.start())
            end = len(text) if end < 0 else end
            line = text[start:end]
            if self._pattern.search(line) is not None:
                number += text.count("\n", counted, start)
                counted = start
                yield number, line
            at = end + 1

    def spans(self, line: str) -> tuple[tuple[int, int], ...] | None:
        """Return what of a line matches, or None where nothing does."""
        found = [match.span() for match in self._pattern.finditer(line)]
        return tuple(span for span in found if span[0] < span[1]) if found else None


def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    try:
        return expression(pattern, flags)
    except ExpressionError as error:
        raise PatternError(pattern, str(error)) from error


def _literal(query: Query) -> bytes | None:
    """Return bytes that every line that matches has, where that is easily told."""
    if query.ignore_case or len(query.patterns) != 1:
        return None
    (pattern,) = query.patterns
    if "\n" in pattern or not (query.fixed or _PLAIN.fullmatch(pattern)):
        return None
    return pattern.encode("utf-8", "surrogateescape")


def pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a stream in pieces that end where lines do, a very long line in several."""
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        cut = chunk.rfind(b"\n") + 1
        if not cut and size + len(chunk) < LONGEST:
            held.append(chunk)
            size += len(chunk)
            continue
        cut = cut or len(chunk)
        yield b"".join((*held, chunk[:cut]))
        held = [chunk[cut:]]
        size = len(chunk) - cut
    if rest := b"".join(held):
        yield rest


def hits(matcher: Matcher, parts: Iterable[bytes], around: Around) -> Iterator[Hit]:
    """Yield the lines of a file that match, with those around them, in order, each once.

    Cost: linear in the file, for a pattern that is; memory for a piece and the lines around.
    """
    before: deque[tuple[int, str]] = deque(maxlen=around.before)
    count = left = 0
    for piece in parts:
        matching = dict(matcher.lines(piece))
        for at, line in _near(piece, matching, around, left):
            number = count + at + 1
            if at in matching:
                yield from (Hit(*known, (), matches=False) for known in before)
                before.clear()
                yield Hit(number, line, matcher.spans(line) or (), matches=True)
                left = around.after
            elif left:
                yield Hit(number, line, (), matches=False)
                left -= 1
            else:
                before.append((number, line))
        count += piece.count(b"\n")


def _near(
    piece: bytes, matching: Mapping[int, str], around: Around, left: int
) -> Iterator[tuple[int, str]]:
    """Yield (number from 0, line) of the lines of a piece that may be shown, now or later."""
    if around == (0, 0):
        yield from matching.items()
        return
    if not (matching or left or around.before):
        return
    text = piece.decode("utf-8", "surrogateescape")
    text = text.removesuffix("\n")
    if matching or left:
        yield from enumerate(text.split("\n"))
        return
    last = text.rsplit("\n", around.before)[-around.before :]
    yield from enumerate(last, text.count("\n") + 1 - len(last))
