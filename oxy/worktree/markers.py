"""How a conflict of a text is written (spec: conflicts, C20 to C22). Pure.

As diff3 does it, for any number of sides:

    <<<<<<< 0123456789ab Ada Lovelace: Message of the first side
    first side
    ||||||| base
    what all of them started from
    =======
    last side
    >>>>>>> ba9876543210 Charles Babbage: Message of the last side

Of more than two sides each one between says its name behind the `=======` before it. A marker
is longer than any run of its character that begins a line of the text.
"""

from collections.abc import Iterable, Iterator, Sequence
from oxy.typed import Final, NamedTuple

from oxy.model.hidden import is_hidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

CHARACTERS: Final = b"<|=>"
"""What the opening marker, that of the base, those between sides and the closing one are of."""

LEAST: Final = 7
"""The length of a marker, unless a line of the text begins with a run as long."""

_EACH: Final = (b"<", b"|", b"=", b">")
_PREFIX: Final = 6
_AUTHOR: Final = 40
_SUBJECT: Final = 60
_REPLACEMENT: Final = "\ufffd"
_RUN: Final = rb"^(?:<{7,}|\|{7,}|={7,}|>{7,})"


class Widths(NamedTuple):
    """The lengths of the four markers, in the order of `CHARACTERS`."""

    opening: int = LEAST
    base: int = LEAST
    between: int = LEAST
    closing: int = LEAST

    def marker(self, at: int) -> bytes:
        """Return a marker by its place in `CHARACTERS`."""
        return _EACH[at] * self[at]

    def pattern(self) -> "re.Pattern[bytes]":
        """Return what finds the lines that begin as if with a marker."""
        import re

        runs = (
            b"%b{%d}(?!%b)" % (one, size, one)
            for one, size in zip(map(re.escape, _EACH), self, strict=True)
        )
        return re.compile(b"^(?:" + b"|".join(runs) + b")", re.MULTILINE)


def widths(texts: Iterable[bytes]) -> Widths:
    """Return how long the markers have to be among texts. Cost: one look at each line."""
    import re

    runs = re.compile(_RUN, re.MULTILINE)
    found = [LEAST] * len(CHARACTERS)
    for text in texts:
        for run in runs.findall(text):
            at = CHARACTERS.index(run[:1])
            found[at] = max(found[at], len(run) + 1)
    return Widths(*found)


def label(name: bytes, author: bytes, message: bytes) -> bytes:
    """Return how a side is called: id prefix, name of the author, first line of the message.

    Characters that could end the line or reach the terminal as more than text are replaced, and
    what is long is cut. The same everywhere: it depends on the change alone.
    """
    who = _plain(author.partition(b" <")[0], _AUTHOR)
    why = _plain(message.partition(b"\n")[0], _SUBJECT)
    return f"{name[:_PREFIX].hex()} {who}: {why}".rstrip().encode()


def _plain(text: bytes, most: int) -> str:
    # Bounded before it is decoded: a first line may have a million bytes.
    shown = text[: most * 4 + 4].decode("utf-8", "replace").replace("\t", " ").strip()
    cut = shown if len(shown) <= most else shown[: most - 1] + "\u2026"
    return "".join(_REPLACEMENT if is_hidden(ord(one)) else one for one in cut)


class Side(NamedTuple):
    """A side of a conflict: how it is called, its lines, which end in LF, and its change."""

    label: bytes
    text: bytes
    change: int = 0


class Sided(NamedTuple):
    """A conflict to be written: its sides, and the lines that they started from."""

    sides: Sequence[Side]
    base: bytes


def block(conflict: Sided, lengths: Widths, end: bytes, last: bytes) -> bytes:
    """Return a conflict with its markers.

    Args:
        conflict: what is shown.
        lengths: those of the markers.
        end: how marker lines end.
        last: how the closing one ends.
    """
    return b"".join(_parts(conflict, lengths, end, last))


def _parts(conflict: Sided, lengths: Widths, end: bytes, last: bytes) -> Iterator[bytes]:
    first, *others = conflict.sides
    final = others[-1] if others else first
    yield lengths.marker(0) + b" " + first.label + end
    yield first.text
    yield lengths.marker(1) + b" base" + end
    yield conflict.base
    for other in others:
        called = b"" if other is final else b" " + other.label
        yield lengths.marker(2) + called + end
        yield other.text
    yield lengths.marker(3) + b" " + final.label + last
