"""The grammar of the names of states: from text to a tree, and back (spec: states, S51 to S54).

Pure: what a name holds is not asked here, only whether there is one, for a `-` in a word.
"""

from collections.abc import Callable
from oxy.typed import Final, NamedTuple, NoReturn, TypeAlias

from oxy.errors import RequestError

LONGEST: Final = 4096
"""Bytes that the name of a state may have."""

DEEPEST: Final = 32
"""Parentheses that may stand inside each other."""

MOST_STEPS: Final = 1_000_000_000
"""How far `~N` may go back."""

HYPHENS: Final = 12
"""Hyphens of a word up to which it may be names with `-` between them."""

_UNION: Final = b"|"
_CUTTING: Final = b"&-"
_QUOTE: Final = ord('"')
_ESCAPE: Final = ord("\\")
_SHOWN_WAYS: Final = 4
_ENDS: Final = frozenset(b' \t\r\n~^()|&"')
_SPACE: Final = b" \t\r\n"
_OPENS: Final = b"@{"


class StateSyntaxError(RequestError):
    """A text is no name of a state; `at` counts its bytes from 0."""

    def __init__(self, called: bytes, at: int, why: str) -> None:
        shown = called.decode("utf-8", "surrogateescape")
        if len(called) > LONGEST:
            shown = f"{shown[:40]}..."
        super().__init__(f"'{shown}' is no name of a state: {why}")
        self.called = called
        self.at = at
        self.why = why


class TwoReadingsError(RequestError):
    """A word with hyphens is no name, and names with `-` between them in several ways."""

    def __init__(self, called: bytes, readings: tuple[bytes, ...]) -> None:
        ways = ", ".join(f"'{text.decode('utf-8', 'surrogateescape')}'" for text in readings)
        name = called.decode("utf-8", "surrogateescape")
        super().__init__(f"'{name}' can be read as {ways}")
        self.called = called
        self.readings = readings


class Word(NamedTuple):
    """A name: as it stands, or in quotes, which make it nothing but a bookmark or tag."""

    name: bytes
    is_quoted: bool = False


class Past(NamedTuple):
    """What a name held at a time, or some moves ago."""

    word: Word
    when: bytes


class Back(NamedTuple):
    """A state some steps before another; at least one."""

    tree: "Tree"
    steps: int


class Chain(NamedTuple):
    """Sets of changes, one after the other united with `|`, cut with `&` or lessened by `-`.

    `|` never stands in a chain with others.
    """

    first: "Tree"
    rest: tuple[tuple[bytes, "Tree"], ...]


Tree: TypeAlias = Word | Past | Back | Chain

Known: TypeAlias = Callable[[bytes], bool]
"""Tells whether a word is called something."""


def is_plain(text: bytes) -> bool:
    """Tell whether a text is one word: where it is called something, nothing is parsed."""
    return bool(text) and _ENDS.isdisjoint(text) and _OPENS not in text


def parse(text: bytes, is_known: Known) -> Tree:
    """Return what a text says.

    Cost: linear; for a word with hyphens that nothing is called, its cuts at them.

    Raises:
        StateSyntaxError: nothing.
        TwoReadingsError: its hyphens can be read in several ways.
    """
    if len(text) > LONGEST:
        raise StateSyntaxError(text, LONGEST, f"it is longer than {LONGEST} bytes")
    reading = _Reading(text, is_known)
    tree = reading.union(0)
    reading.end()
    return tree


def unparse(tree: Tree) -> bytes:
    """Return a text that says a tree."""
    if isinstance(tree, Word):
        return _quoted(tree.name) if tree.is_quoted else tree.name
    if isinstance(tree, Past):
        return b"%b@{%b}" % (unparse(tree.word), tree.when)
    if isinstance(tree, Back):
        return b"%b~%d" % (_atom(tree.tree), tree.steps)
    parts = [_part(tree, tree.first)]
    for operator, part in tree.rest:
        parts += [operator, _part(tree, part)]
    return b" ".join(parts)


def quoted(name: bytes) -> bytes:
    """Return how a bookmark or tag is written in the name of a state: in quotes if need be."""
    return name if is_plain(name) else _quoted(name)


class _Reading:
    """A text, and how far it was read."""

    __slots__ = ("_at", "_cuts", "_is_known", "_text")

    def __init__(self, text: bytes, is_known: Known) -> None:
        self._text = text
        self._at = 0
        self._is_known = is_known
        self._cuts: set[int] = set()
        """Hyphens that are operators, though they stand in a word."""

    def union(self, depth: int) -> Tree:
        """Read what is united."""
        return self._chain(depth, _UNION, self._product)

    def end(self) -> None:
        """Refuse what is left."""
        found = self._next()
        if found == b"^":
            self._refuse("`^` is not used: ~1 is what it was before")
        if found:
            self._refuse(f"{_shown(found)} is out of place")

    def _product(self, depth: int) -> Tree:
        return self._chain(depth, _CUTTING, self._step)

    def _chain(self, depth: int, operators: bytes, read: Callable[[int], Tree]) -> Tree:
        first = read(depth)
        rest: list[tuple[bytes, Tree]] = []
        while (operator := self._next()) and operator in operators:
            self._at += 1
            rest.append((operator, read(depth)))
        return Chain(first, tuple(rest)) if rest else first

    def _step(self, depth: int) -> Tree:
        tree, steps = self._primary(depth), 0
        if isinstance(tree, Back):
            tree, steps = tree
        while self._next() == b"~":
            self._at += 1
            steps += self._number()
        if steps > MOST_STEPS:
            self._refuse(f"it goes back more than {MOST_STEPS} steps")
        return Back(tree, steps) if steps else tree

    def _primary(self, depth: int) -> Tree:
        if self._next() != b"(":
            word = self._word()
            is_past = self._text.startswith(_OPENS, self._at)
            return Past(word, self._when()) if is_past else word
        self._at += 1
        if depth >= DEEPEST:
            self._refuse(f"more than {DEEPEST} parentheses stand inside each other")
        tree = self.union(depth + 1)
        if self._next() != b")":
            self._refuse("a ) is missing")
        self._at += 1
        return tree

    def _word(self) -> Word:
        found, start = self._next(), self._at
        if found == b'"':
            return Word(self._in_quotes(), is_quoted=True)
        word = self._text[start : self._end_of_word()]
        if not word and self._text.startswith(_OPENS, start):
            return Word(b"@")
        if not word or found == b"-":
            self._refuse(
                f"a name is wanted, not {_shown(found)}" if found else "a name is wanted"
            )
        if b"-" in word and not self._is_known(word):
            self._cut(word)
        self._at = self._end_of_word()
        return Word(self._text[start : self._at])

    def _end_of_word(self) -> int:
        text, at = self._text, self._at
        while at < len(text) and text[at] not in _ENDS and at not in self._cuts:
            if text.startswith(_OPENS, at):
                break
            at += 1
        return at

    def _cut(self, word: bytes) -> None:
        """Make hyphens of a word operators, if names are between them.

        Raises:
            TwoReadingsError: in several ways.
        """
        found = _readings(word.split(b"-"), self._is_known)
        if len(found) > 1:
            raise TwoReadingsError(word, tuple(b" - ".join(names) for names in found))
        at = self._at
        for name in found[0][:-1] if found else ():
            at += len(name)
            self._cuts.add(at)
            at += 1

    def _in_quotes(self) -> bytes:
        name, at = bytearray(), self._at + 1
        while at < len(self._text) and self._text[at] != _QUOTE:
            at += self._text[at] == _ESCAPE
            name += self._text[at : at + 1]
            at += 1
        if at >= len(self._text):
            self._refuse('a " is missing')
        self._at = at + 1
        return bytes(name)

    def _when(self) -> bytes:
        start = self._at + len(_OPENS)
        end = self._text.find(b"}", start)
        if end < 0:
            self._refuse("a } is missing")
        self._at = end + 1
        when = self._text[start:end].strip()
        if not when:
            self._refuse("a time is wanted between { and }")
        return when

    def _number(self) -> int:
        """Return the number that follows; 1 if there is none."""
        start = self._at
        while self._text[self._at : self._at + 1].isdigit():
            self._at += 1
        digits = self._text[start : self._at].lstrip(b"0")
        if len(digits) > len(str(MOST_STEPS)):
            self._refuse(f"it goes back more than {MOST_STEPS} steps")
        return int(digits or b"0") if self._at > start else 1

    def _next(self) -> bytes:
        """Return the byte that comes next, behind spaces; nothing at the end."""
        text = self._text
        while self._at < len(text) and text[self._at] in _SPACE:
            self._at += 1
        return text[self._at : self._at + 1]

    def _refuse(self, why: str) -> NoReturn:
        raise StateSyntaxError(self._text, self._at, why)


def _readings(parts: list[bytes], is_known: Known) -> list[tuple[bytes, ...]]:
    """Return the ways to join neighbours with hyphens so that all are names; two and more."""
    if len(parts) > HYPHENS + 1:
        return []
    # What the parts from one on can be, from the last back.
    ways: dict[int, list[tuple[bytes, ...]]] = {len(parts): [()]}
    for start in reversed(range(len(parts))):
        ways[start] = []
        for end in range(start + 1, len(parts) + 1):
            name = b"-".join(parts[start:end])
            if ways[end] and (start or end < len(parts)) and is_known(name):
                ways[start] += [(name, *rest) for rest in ways[end]]
        del ways[start][_SHOWN_WAYS:]
    return ways[0]


def _part(chain: Chain, part: Tree) -> bytes:
    """Return a part of a chain, in parentheses where it would else run into it."""
    is_union = chain.rest[0][0] == _UNION
    if isinstance(part, Chain) and (not is_union or part.rest[0][0] == _UNION):
        return b"(%b)" % unparse(part)
    return unparse(part)


def _atom(tree: Tree) -> bytes:
    return b"(%b)" % unparse(tree) if isinstance(tree, Chain) else unparse(tree)


def _quoted(name: bytes) -> bytes:
    return b'"%b"' % name.replace(b"\\", b"\\\\").replace(b'"', b'\\"')


def _shown(found: bytes) -> str:
    return f"'{found.decode('utf-8', 'surrogateescape')}'"
