"""Mails that carry patches, read (spec: command-line, L63, L64).

What `show --patch` and `git format-patch` write, one mail or many; a file without any mail's
header is one patch.
"""

from __future__ import annotations

import re  # noqa: TID253 - what it is made of; loaded for that
from itertools import pairwise
from oxy.typed import TYPE_CHECKING, Final, NamedTuple

from oxy.actions.mail import ID_HEADER, unindented
from oxy.diff.reading import PatchError
from oxy.model.change import Moment
from oxy.model.charset import recoded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.header import Header

_START: Final = re.compile(rb"^From \S+ .*\d\d:\d\d(?::\d\d)? .*\d{4}$", re.MULTILINE)
_HEADER: Final = re.compile(rb"[A-Za-z][A-Za-z0-9-]*:[ \t]")
_END: Final = re.compile(rb"^(?:---(?: .*)?\r?$|diff -|Index: )", re.MULTILINE)
_MARKS: Final = re.compile(r"\s*(?:re:\s*|\[[^\]]*\]\s*)", re.IGNORECASE)


class Letter(NamedTuple):
    """A patch, on which line of the file it begins, and what its mail says, if it is one.

    `change` is the id of the oxy change that it was made of.
    """

    patch: bytes
    line: int
    author: bytes | None = None
    time: Moment | None = None
    message: bytes = b""
    change: bytes | None = None


def letters(data: bytes) -> Iterator[Letter]:
    """Yield the mails of a file, or the one patch that it is.

    Raises:
        PatchError: a mail cannot be read.
    """
    starts = [found.start() for found in _START.finditer(data)]
    is_mail = bool(starts and not data[: starts[0]].strip()) or bool(_HEADER.match(data))
    if not is_mail:
        yield Letter(data, 1)
        return
    cuts = [*starts, len(data)] if starts else [0, len(data)]
    for start, end in pairwise(cuts):
        line = data.count(b"\n", 0, start) + 1
        yield _letter(data[start:end], line)


def _letter(text: bytes, line: int) -> Letter:
    if _START.match(text):
        _, _, text = text.partition(b"\n")
        line += 1
    end = re.search(rb"\r?\n\r?\n", text)
    if end is None:
        raise PatchError(line, "the mail has no text")
    header = _Header(text[: end.start()])
    if header.is_multipart:
        raise PatchError(line, "the mail has several parts: save the patch alone")
    body = header.plain(text[end.end() :])
    found = _END.search(body)
    cut = found.start() if found else len(body)
    change = header.change
    rest = header.recoded(body[:cut]).strip(b"\n")
    if change is not None:
        rest = unindented(rest)
    return Letter(
        body[cut:],
        line + text.count(b"\n", 0, end.end()) + body.count(b"\n", 0, cut),
        _author(_text(header["From"])),
        _time(header["Date"], line),
        b"\n\n".join(part for part in (_subject(_text(header["Subject"])), rest) if part),
        change,
    )


class _Header:
    """The header of a mail."""

    __slots__ = ("_has_cr", "_message")

    def __init__(self, text: bytes) -> None:
        from email.parser import BytesParser

        self._has_cr = b"\r\n" in text
        self._message = BytesParser().parsebytes(text + b"\n\n", headersonly=True)

    def __getitem__(self, name: str) -> Header | str | None:
        """Return a field as it is written."""
        found: Header | str | None = self._message.get(name)
        return found

    @property
    def is_multipart(self) -> bool:
        """Whether the mail has parts."""
        return self._message.get_content_maintype() == "multipart"

    @property
    def change(self) -> bytes | None:
        """The id of the change, where the header tells it."""
        text = str(self[ID_HEADER.decode()] or "").strip()
        return bytes.fromhex(text) if re.fullmatch(r"[0-9a-f]{64}", text) else None

    def plain(self, body: bytes) -> bytes:
        """Return the text of the mail as it was before it was sent."""
        coding = str(self["Content-Transfer-Encoding"] or "").strip().lower()
        if coding == "base64":
            from base64 import b64decode
            from binascii import Error

            try:
                return b64decode(body)
            except Error:
                return body
        if coding == "quoted-printable":
            import quopri

            return quopri.decodestring(body)
        # Where the header has CRs too, they are the way's and not the patch's.
        return body.replace(b"\r\n", b"\n") if self._has_cr else body

    def recoded(self, text: bytes) -> bytes:
        """Return text of the mail as UTF-8."""
        return recoded(text, str(self._message.get_content_charset() or "utf-8"))


def _text(value: Header | str | None) -> bytes:
    """Return a header as UTF-8, or as the bytes that it has where its coding is not known."""
    from email.errors import HeaderParseError
    from email.header import decode_header

    shown = re.sub(r"\r?\n[ \t]+", " ", value) if isinstance(value, str) else value
    found = b""
    try:
        parts = decode_header(shown or "")
    except HeaderParseError:
        return str(shown).encode("utf-8", "surrogateescape")
    for part, charset in parts:
        found += part.encode() if isinstance(part, str) else recoded(part, charset or "ascii")
    return found


def _subject(text: bytes) -> bytes:
    """Return the subject without what mails put before it."""
    shown = text.decode("utf-8", "surrogateescape")
    while (mark := _MARKS.match(shown)) is not None:
        shown = shown[mark.end() :]
    return shown.strip().encode("utf-8", "surrogateescape")


def _author(text: bytes) -> bytes | None:
    """Return who sent a mail, or None where it does not say."""
    name, bracket, address = text.rpartition(b"<")
    if address.strip() in {b"", b">"}:
        return None
    if not bracket:
        return b"%b <%b>" % (address, address)
    name = name.strip()
    if name.startswith(b'"') and name.endswith(b'"'):
        name = re.sub(rb"\\(.)", rb"\1", name[1:-1])
    return b"%b <%b" % (name, address)


def _time(value: Header | str | None, line: int) -> Moment | None:
    """Return when a mail says that its change was made.

    Raises:
        PatchError: it says something, and that is no date.
    """
    if value is None:
        return None
    from datetime import UTC, datetime, timedelta
    from email.utils import parsedate_to_datetime

    try:
        meant = parsedate_to_datetime(str(value))
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise PatchError(line, "the date of the mail cannot be read") from error
    aware = meant if meant.tzinfo is not None else meant.replace(tzinfo=UTC)
    since = aware - datetime(1970, 1, 1, tzinfo=UTC)
    offset = aware.utcoffset() or timedelta()
    return Moment(since // timedelta(microseconds=1), offset // timedelta(minutes=1))
