"""One line of an ignore file, compiled (spec: working-copy, W10). Pure.

A pattern becomes segments between slashes, a segment becomes pieces between stars. Stars are
matched from the left, each piece at its first place: of two places for a piece the first always
leaves more room for the rest, so a match never goes back over a star. The time for one name is
at most (length of the name) x (length of the pattern), whatever the pattern. The same holds for
`**` among segments.

Own code, because what matters here is what the library does not give. pathspec costs 23 ms to
import, where a whole `status` of 10,000 files may cost 48; and it compiles to regular
expressions, whose time explodes: `*a` eight times before a `b` took 16 s on one name of 60
bytes. Git itself is the oracle in the tests.
"""

from oxy.typed import Final, NamedTuple

Piece = bytes | tuple[frozenset[int], ...]
"""A stretch without stars: plain bytes, or one set of bytes for each place."""

Segment = tuple[Piece, ...]
"""Pieces with a star between each two."""

_STAR: Final = -1
_BREAK: Final = -2
_ANY: Final = frozenset(range(256)) - {0x2F}
_ANYTHING: Final[Segment] = (b"", b"")
_ASCII: Final = range(0x80)
_MANY: Final = 16

_Token = int | frozenset[int]


class Pattern(NamedTuple):
    """A compiled pattern.

    `groups` are the runs of segments between `**`: the first is held at the head of the path,
    the last at its end. A pattern without a slash has one segment and matches at every depth:
    `floating`.
    """

    groups: tuple[tuple[Segment, ...], ...]
    negated: bool
    only_directories: bool
    floating: bool


def parse(line: bytes) -> Pattern | None:
    """Return the pattern of one line without its newline, or None if it can match nothing."""
    line = _without_final_spaces(line.removesuffix(b"\r"))
    if line.startswith(b"#"):
        return None
    negated = line.startswith(b"!")
    body = line[negated:]
    only_directories = body.endswith(b"/")
    body = body[: len(body) - only_directories]
    floating = b"/" not in body
    try:
        tokens = _tokens(body.removeprefix(b"/"))
    except _UnclosedError:
        return None
    if not tokens:
        return None
    return Pattern(_groups(tokens, floating=floating), negated, only_directories, floating)


def matches_segment(segment: Segment, name: bytes) -> bool:
    """Tell whether the segment matches the whole of this one name."""
    first = segment[0]
    if len(segment) == 1:
        return len(name) == len(first) and _is_at(first, name, 0)
    last = segment[-1]
    start, end = len(first), len(name) - len(last)
    if start > end or not _is_at(first, name, 0) or not _is_at(last, name, end):
        return False
    for piece in segment[1:-1]:
        found = _find(piece, name, start, end)
        if found < 0:
            return False
        start = found + len(piece)
    return True


def matches_path(pattern: Pattern, names: tuple[bytes, ...]) -> bool:
    """Tell whether a pattern that does not float matches the path of these components."""
    first = pattern.groups[0]
    if len(pattern.groups) == 1:
        return len(names) == len(first) and _run_is_at(first, names, 0)
    last = pattern.groups[-1]
    start, end = len(first), len(names) - len(last)
    if start > end or not _run_is_at(first, names, 0) or not _run_is_at(last, names, end):
        return False
    for group in pattern.groups[1:-1]:
        while start + len(group) <= end and not _run_is_at(group, names, start):
            start += 1
        start += len(group)
        if start > end:
            return False
    return True


def spellings(piece: Piece) -> tuple[bytes, ...]:
    """Return every byte string the piece stands for; nothing if it is empty or they are many.

    So `.py[co]` can be looked for as two plain endings.
    """
    if isinstance(piece, bytes):
        return (piece,) if piece else ()
    spelled: list[bytes] = [b""]
    for choice in piece:
        if len(spelled) * len(choice) > _MANY:
            return ()
        spelled = [head + bytes((byte,)) for head in spelled for byte in sorted(choice)]
    return tuple(spelled)


class _UnclosedError(Exception):
    """A class or an escape that never ends; such a pattern matches nothing."""


def _without_final_spaces(line: bytes) -> bytes:
    stripped = line.rstrip(b" ")
    slashes = len(stripped) - len(stripped.rstrip(b"\\"))
    # A space behind an odd number of backslashes is escaped, so it is content.
    return line[: len(stripped) + 1] if slashes % 2 and line != stripped else stripped


def _tokens(body: bytes) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while at < len(body):
        byte = body[at : at + 1]
        token: _Token = body[at]
        at += 1
        if byte == b"*":
            token = _STAR
        elif byte == b"?":
            token = _ANY
        elif byte == b"[":
            token, at = _class(body, at)
        elif byte == b"\\":
            if at == len(body):
                raise _UnclosedError
            token = body[at]
            at += 1
        tokens.append(_BREAK if token == 0x2F else token)  # noqa: PLR2004 - a slash, escaped or not
    return tokens


def _groups(tokens: list[_Token], *, floating: bool) -> tuple[tuple[Segment, ...], ...]:
    groups: list[list[Segment]] = [[]]
    parts = _split(tokens, _BREAK)
    for place, part in enumerate(parts):
        doubled = len(part) > 1 and all(token == _STAR for token in part)
        if not doubled or floating:
            groups[-1].append(_segment(part))
            if place < len(parts) - 1 and _reaches_down(parts[: place + 1]):
                groups.append([])
            continue
        groups.append([])
        if place == len(parts) - 1:
            # A final `**` stands for what is inside, never for the directory itself.
            groups[-1].append(_ANYTHING)
    return tuple(tuple(group) for group in groups)


def _reaches_down(parts: list[list[_Token]]) -> bool:
    """Tell whether the last part is like `a**`, with nothing but plain bytes before its stars.

    Git compares those bytes apart and starts matching at the stars, which then stand for
    directories too (observed in Git 2.39; its manual says they do not).
    """
    *before, last = parts
    head = last[:-2]
    return last[-2:] == [_STAR, _STAR] and all(
        isinstance(token, int) and token >= 0 for part in (*before, head) for token in part
    )


def _segment(tokens: list[_Token]) -> Segment:
    pieces = [_piece(part) for part in _split(tokens, _STAR)]
    # Neighbouring stars leave empty pieces between them, which say nothing.
    middle = [piece for piece in pieces[1:-1] if piece]
    return (pieces[0], *middle, pieces[-1]) if len(pieces) > 1 else (pieces[0],)


def _piece(tokens: list[_Token]) -> Piece:
    plain = [token for token in tokens if isinstance(token, int)]
    if len(plain) == len(tokens):
        return bytes(plain)
    return tuple(frozenset({t}) if isinstance(t, int) else t for t in tokens)


def _split(tokens: list[_Token], mark: int) -> list[list[_Token]]:
    parts: list[list[_Token]] = [[]]
    for token in tokens:
        if token == mark:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _class(body: bytes, at: int) -> tuple[frozenset[int], int]:
    """Read a class from behind its bracket; return the bytes it matches and where it ends."""
    negated = body[at : at + 1] in {b"!", b"^"}
    at += negated
    found: set[int] = set()
    low = -1  # the byte that a following `-` would range from
    first = True
    while first or body[at : at + 1] != b"]":
        first = False
        if body[at : at + 2] == b"[:" and (named := _named(body, at)) is not None:
            members, at = named
            found |= members
            low = -1
        elif (
            body[at : at + 1] == b"-" and low >= 0 and body[at + 1 : at + 2] not in {b"", b"]"}
        ):
            high, at = _member(body, at + 1)
            found.update(range(low, high + 1))
            low = -1
        else:
            low, at = _member(body, at)
            found.add(low)
    return frozenset(_ANY - found if negated else found), at + 1


def _member(body: bytes, at: int) -> tuple[int, int]:
    at += body[at : at + 1] == b"\\"
    if at >= len(body):
        raise _UnclosedError
    return body[at], at + 1


def _named(body: bytes, at: int) -> tuple[frozenset[int], int] | None:
    """Read `[:name:]`; None if it is not closed like that and so stands for its own bytes."""
    end = body.find(b"]", at + 2)
    if end < 0:
        raise _UnclosedError
    if end < at + 3 or body[end - 1 : end] != b":":
        return None
    name = body[at + 2 : end - 1].decode("latin-1")
    if name in {"alnum", "alpha", "digit", "lower", "upper"}:
        members = [b for b in _ASCII if getattr(chr(b), f"is{name}")()]
    elif name in _NAMED:
        members = [b for b in _ASCII if _NAMED[name].find(chr(b)) >= 0]
    else:
        raise _UnclosedError
    return frozenset(members), end + 1


_PUNCT: Final = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_GRAPH: Final = "".join(map(chr, range(0x21, 0x7F)))
_NAMED: Final = {
    "blank": " \t",
    "cntrl": "".join(map(chr, (*range(0x20), 0x7F))),
    "graph": _GRAPH,
    "print": " " + _GRAPH,
    "punct": _PUNCT,
    "space": " \t\n\r",
    "xdigit": "0123456789abcdefABCDEF",
}


def _is_at(piece: Piece, name: bytes, at: int) -> bool:
    if isinstance(piece, bytes):
        return name.startswith(piece, at)
    return all(name[at + i] in choice for i, choice in enumerate(piece))


def _find(piece: Piece, name: bytes, start: int, end: int) -> int:
    if isinstance(piece, bytes):
        return name.find(piece, start, end)
    for at in range(start, end - len(piece) + 1):
        if _is_at(piece, name, at):
            return at
    return -1


def _run_is_at(group: tuple[Segment, ...], names: tuple[bytes, ...], at: int) -> bool:
    return all(matches_segment(segment, names[at + i]) for i, segment in enumerate(group))
