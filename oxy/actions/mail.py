"""A change as a mail that carries its patch (spec: command-line, L63).

It is what `git am` takes, with the id of the change in a header of its own. Lines of a message
that would end it, or be taken for headers, are indented by a space.
"""

import re  # noqa: TID253 - what it is made of; loaded for that
from collections.abc import Callable, Iterable, Iterator
from oxy.typed import Final, NamedTuple

from oxy import __version__
from oxy.actions.diffstat import lines_of as picture_of
from oxy.actions.diffstat import stat_of, summary_of
from oxy.actions.log import Entry
from oxy.actions.patch import PLAIN, FileDiff, Manner, lines_of
from oxy.model.change import Moment

ID_HEADER: Final = b"X-Oxy-Change"

_FROM: Final = b"From %b Mon Sep 17 00:00:00 2001"
_DAYS: Final = (b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun")
_MONTHS: Final = b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_MISLEADING: Final = re.compile(
    rb" *(?:---(?: |$)|diff -|Index: |>?From[ :]|(?:Subject|Date):|\[PATCH\])", re.IGNORECASE
)
_SAFE: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/")
_FIRST: Final = -62_135_596_800
_LAST: Final = 253_402_300_799
_WORD: Final = 45
"""Bytes of a header that one encoded word holds at most."""


class Place(NamedTuple):
    """Which mail of how many this is."""

    number: int
    total: int


def mail(
    entry: Entry, diffs: Callable[[], Iterable[FileDiff]], place: Place, manner: Manner = PLAIN
) -> Iterator[bytes]:
    """Yield the lines of the mail of a change, without LF.

    Args:
        entry: the change.
        diffs: returns what it did; called twice.
        place: its place in a series.
        manner: how the patch is shown.

    Cost: the files that it touches, twice; two contents in memory at once.
    """
    subject, body = parted(entry.header.message)
    yield _FROM % entry.id.hex().encode()
    yield from _headers(entry, subject, body, place)
    yield b""
    yield from map(_indented, body)
    yield b"---"
    stats = [stat_of(diff, manner) for diff in diffs()]
    yield from (b"".join(parts) for parts in picture_of(stats))
    yield summary_of(stats)
    yield b""
    for diff in diffs():
        yield from lines_of(diff, manner)
    yield b"-- "
    yield b"oxy " + __version__.encode()
    yield b""


def _indented(line: bytes) -> bytes:
    return b" " + line if _MISLEADING.match(line) else line


def unindented(text: bytes) -> bytes:
    """Return a text without what was put before lines that would have misled."""
    return b"\n".join(
        line[1:] if line.startswith(b" ") and _MISLEADING.match(line) else line
        for line in text.split(b"\n")
    )


def parted(message: bytes) -> tuple[bytes, list[bytes]]:
    """Return the first paragraph of a message as one line, and the lines of the rest."""
    lines = [line.removesuffix(b"\r") for line in message.strip(b"\r\n").split(b"\n")]
    first = lines.index(b"") if b"" in lines else len(lines)
    return b" ".join(lines[:first]), lines[first + 1 :]


def _headers(entry: Entry, subject: bytes, body: list[bytes], place: Place) -> Iterator[bytes]:
    name, _, address = entry.header.author.rpartition(b"<")
    yield b"From: %b <%b" % (_named(name.strip()), address)
    yield b"Date: " + dated(entry.header.time)
    number = b" %d/%d" % place if place.total > 1 else b""
    yield b"Subject: [PATCH%b] %b" % (number, b"\n ".join(_words(subject)))
    yield ID_HEADER + b": " + entry.id.hex().encode()
    if not b"".join((*body, subject, name)).isascii():
        yield b"MIME-Version: 1.0"
        yield b"Content-Type: text/plain; charset=UTF-8"
        yield b"Content-Transfer-Encoding: 8bit"


def _named(name: bytes) -> bytes:
    """Return a name as it stands before an address."""
    words = _words(name)
    if words == [name] and re.search(rb'[()<>\[\]:;@\\,."]', name):
        return b'"%b"' % re.sub(rb'(["\\])', rb"\\\1", name)
    return b"\n ".join(words)


def _words(text: bytes) -> list[bytes]:
    """Return text as a header has it: as it is, or in encoded words."""
    if text.isascii() and text.decode().isprintable() and b"=?" not in text:
        return [text]
    try:
        characters = [character.encode() for character in text.decode()]
        charset = b"UTF-8"
    except UnicodeDecodeError:
        characters = [bytes([byte]) for byte in text]
        charset = b"unknown-8bit"
    words = [b""]
    for character in characters:
        shown = b"".join(map(_shown, character))
        if len(words[-1]) + len(shown) > _WORD:
            words.append(b"")
        words[-1] += shown
    return [b"=?%b?q?%b?=" % (charset, word) for word in words]


def _shown(byte: int) -> bytes:
    if byte in _SAFE:
        return b"%c" % byte
    return b"_" if byte == 0x20 else b"=%02X" % byte  # noqa: PLR2004 - a space


def dated(moment: Moment) -> bytes:
    """Return a time as mails have it; one beyond the calendar is clamped."""
    from datetime import UTC, datetime, timedelta

    minutes = max(-1439, min(1439, moment.offset))
    local = moment.microseconds // 1_000_000 + minutes * 60
    # The zone is written behind it, so the time of day counts as if it were UTC's.
    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=max(_FIRST, min(_LAST, local)))
    sign = b"-" if minutes < 0 else b"+"
    hours, rest = divmod(abs(minutes), 60)
    return b"%b, %d %b %d %02d:%02d:%02d %b%02d%02d" % (
        _DAYS[at.weekday()],
        at.day,
        _MONTHS[at.month - 1],
        at.year,
        at.hour,
        at.minute,
        at.second,
        sign,
        hours,
        rest,
    )
