r"""Templates: the text of a change, as a user lays it out (spec: command-line, L51).

    template  =  (text | escape | field)*
    escape    =  `\n` | `\t` | `\\` | `\{` | `\}`
    field     =  `{` name [`:` form] `}`

A name is one of `FIELDS`; what forms it takes hangs on what it is: an id takes a number of
digits, a time a word or a pattern.
"""

from __future__ import annotations

from oxy.cli.dates import fields, readable, rfc3339
from oxy.errors import RequestError
from oxy.model.change import subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from oxy.actions.log import Entry
    from oxy.model.change import Moment

    Piece: TypeAlias = Callable[["Told"], bytes]

ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "{": "{", "}": "}"}
DIGITS = 12
LEAST, MOST = 4, 64
SECOND = 1_000_000
TIMES = ("iso", "date", "short", "unix")
PATTERN = {
    "Y": lambda day, _time, _zone: day[:-6],
    "m": lambda day, _time, _zone: day[-5:-3],
    "d": lambda day, _time, _zone: day[-2:],
    "H": lambda _day, time, _zone: time[:2],
    "M": lambda _day, time, _zone: time[3:5],
    "S": lambda _day, time, _zone: time[6:],
    "z": lambda _day, _time, zone: zone,
    "F": lambda day, _time, _zone: day,
    "T": lambda _day, time, _zone: time,
    "%": lambda _day, _time, _zone: "%",
}
"""What stands for a letter behind `%`, of the date, the time of day and the zone."""


class TemplateError(RequestError):
    """A template is wrong at a place, which counts characters from 1."""

    def __init__(self, place: int, rule: str, near: tuple[str, ...] = ()) -> None:
        super().__init__(f"--format, character {place}: {rule}")
        self.place = place
        self.rule = rule
        self.near = near


class Told:
    """A change, with the names that hold it."""

    __slots__ = ("entry", "names")

    def __init__(self, entry: Entry, names: Sequence[bytes]) -> None:
        self.entry = entry
        self.names = names


class Template:
    """A template that was read.

    Raises:
        TemplateError: it is not one.
    """

    __slots__ = ("_pieces",)

    def __init__(self, text: str) -> None:
        self._pieces = list(read(text))

    def text(self, entry: Entry, names: Sequence[bytes] = ()) -> bytes:
        """Return the text of a change."""
        told = Told(entry, names)
        return b"".join(piece(told) for piece in self._pieces)


def read(text: str) -> list[Piece]:
    """Return what makes the parts of a text.

    Raises:
        TemplateError: it is no template.
    """
    pieces: list[Piece] = []
    at = 0
    while at < len(text):
        if text[at] == "\\":
            pieces.append(literal(escaped(text, at)))
            at += 2
        elif text[at] == "{":
            end = text.find("}", at)
            if end < 0:
                raise TemplateError(at + 1, "this { is never closed; \\{ is the character")
            pieces.append(field(text[at + 1 : end], at + 2))
            at = end + 1
        elif text[at] == "}":
            raise TemplateError(at + 1, "this } closes nothing; \\} is the character")
        else:
            end = min((e for c in "\\{}" if (e := text.find(c, at)) >= 0), default=len(text))
            pieces.append(literal(text[at:end]))
            at = end
    return pieces


def literal(text: str) -> Piece:
    """Return what makes a text that is the same for all changes."""
    data = text.encode("utf-8", "surrogateescape")
    return lambda _told: data


def escaped(text: str, at: int) -> str:
    """Return the character that an escape stands for."""
    found = ESCAPES.get(text[at + 1 : at + 2])
    if found is None:
        raise TemplateError(at + 1, "behind \\ stands one of n, t, \\, { and }")
    return found


def field(inner: str, place: int) -> Piece:
    """Return what makes the text of a field, which begins at a place."""
    name, colon, form = inner.partition(":")
    kind = FIELDS.get(name)
    if kind is None:
        from difflib import get_close_matches

        near = tuple(get_close_matches(name, FIELDS))
        listed = ", ".join(FIELDS)
        raise TemplateError(place, f"no field is called '{name}'; there are {listed}", near)
    return kind(form if colon else None, place + len(name) + 1)


def plain(value: Callable[[Told], bytes]) -> Callable[[str | None, int], Piece]:
    """Return the kind of a field that takes no form."""

    def made(form: str | None, place: int) -> Piece:
        if form is not None:
            raise TemplateError(place, "this field takes nothing behind a colon")
        return value

    return made


def ids(value: Callable[[Told], Sequence[bytes]]) -> Callable[[str | None, int], Piece]:
    """Return the kind of a field of ids with spaces between; its form is a number of digits."""

    def made(form: str | None, place: int) -> Piece:
        digits = MOST if form is None else number(form, place)
        return lambda told: b" ".join(name.hex()[:digits].encode() for name in value(told))

    return made


def number(form: str, place: int) -> int:
    """Return a number of digits."""
    is_number = form.isascii() and form.isdigit() and len(form) <= len(str(MOST))
    if not is_number or not LEAST <= int(form) <= MOST:
        raise TemplateError(place, f"an id takes {LEAST} to {MOST} digits, not '{form}'")
    return int(form)


def time(form: str | None, place: int) -> Piece:
    """Return what makes the text of a time: by a word, or by a pattern with %."""
    if form is not None and "%" in form:
        return pattern(form, place)
    if form not in (None, *TIMES):
        known = ", ".join(TIMES)
        raise TemplateError(place, f"a time takes {known} or a pattern with %, not '{form}'")

    def made(told: Told) -> bytes:
        moment = told.entry.header.time
        if form == "unix":
            return b"%d" % (moment.microseconds // SECOND)
        if form == "date":
            return fields(moment)[0].encode()
        if form == "iso":
            return rfc3339(moment).encode()
        whole = readable(moment)
        return (whole[: whole.rindex(":")] if form == "short" else whole).encode()

    return made


def pattern(form: str, place: int) -> Piece:
    """Return what makes a time by a pattern: `%Y-%m-%d %H:%M:%S %z`, `%F`, `%T`, `%%`."""
    texts = form.split("%")
    at = len(texts[0])
    parts: list[str | Callable[[str, str, str], str]] = [texts[0]]
    rest = iter(texts[1:])
    for text in rest:
        if not text:
            # Two in a row, of which the second begins nothing.
            following = next(rest, None)
            if following is None:
                raise TemplateError(place + at, "a letter has to follow this %")
            parts += ["%", following]
            at += 2 + len(following)
            continue
        made = PATTERN.get(text[0])
        if made is None:
            known = ", ".join(f"%{letter}" for letter in PATTERN)
            raise TemplateError(place + at, f"there is no %{text[0]}; there are {known}")
        parts += [made, text[1:]]
        at += 1 + len(text)
    return lambda told: _patterned(parts, told.entry.header.time)


def _patterned(parts: Sequence[str | Callable[[str, str, str], str]], moment: Moment) -> bytes:
    day, clock, _, sign, minutes = fields(moment)
    zone = f"{sign}{minutes // 60:02d}{minutes % 60:02d}"
    text = "".join(x if isinstance(x, str) else x(day, clock, zone) for x in parts)
    return text.encode("utf-8", "surrogateescape")


def person(author: bytes) -> tuple[bytes, bytes]:
    """Return the name and the address of an author."""
    name, _, address = author.partition(b"<")
    return name.strip(), address.partition(b">")[0]


def body(message: bytes) -> bytes:
    """Return a message without its first line and the empty ones around the rest."""
    return message.lstrip(b"\n").partition(b"\n")[2].strip(b"\r\n")


def optional(name: bytes | None) -> tuple[bytes, ...]:
    """Return an id, if there is one."""
    return () if name is None else (name,)


FIELDS: dict[str, Callable[[str | None, int], Piece]] = {
    "change": ids(lambda told: (told.entry.id,)),
    "prefix": plain(lambda told: told.entry.id.hex()[:DIGITS].encode()),
    "author": plain(lambda told: told.entry.header.author),
    "name": plain(lambda told: person(told.entry.header.author)[0]),
    "email": plain(lambda told: person(told.entry.header.author)[1]),
    "time": time,
    "subject": plain(lambda told: subject(told.entry.header.message)),
    "body": plain(lambda told: body(told.entry.header.message)),
    "message": plain(lambda told: told.entry.header.message.rstrip(b"\r\n")),
    "bookmarks": plain(lambda told: b", ".join(told.names)),
    "git": ids(lambda told: optional(told.entry.git)),
    "dependencies": ids(lambda told: told.entry.header.deps),
    "context": ids(lambda told: told.entry.header.context.heads),
    "replaces": ids(lambda told: told.entry.replaces),
    "replaced_by": ids(lambda told: told.entry.replaced_by),
}
"""The fields by name."""
