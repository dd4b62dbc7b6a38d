"""Patches read: Git's format, and plain unified diffs (spec: command-line, L64). Pure.

What a patch says of sizes and counts is believed only as far as its lines bear it out. Names
lose some first components, as `a/` and `b/` are, and have to keep the path rule.
"""

import re  # noqa: TID253 - what it is made of; loaded for that
from collections.abc import Sequence
from oxy.typed import Final, NamedTuple, NoReturn

from oxy.diff.literal import LIMIT, LiteralError, decoded
from oxy.diff.unquoting import unquoted
from oxy.errors import RequestError
from oxy.model.pathrule import path_refusal


class PatchError(RequestError):
    """A patch cannot be read; `line` counts from 1."""

    def __init__(self, line: int, rule: str) -> None:
        super().__init__(f"line {line} of the patch: {rule}")
        self.line = line
        self.rule = rule


class HunkText(NamedTuple):
    """A hunk: where the old lines begin, from 1, and both sides, each line with its LF if any.

    `before` and `after` tell how many unchanged lines it begins and ends with.
    """

    start: int
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]
    before: int
    after: int


class Binary(NamedTuple):
    """New binary content; a delta has to be put on the old."""

    data: bytes
    is_delta: bool


class FilePatch(NamedTuple):
    """What a patch does to one file; a path is None where there is no file on that side.

    Modes are Git's, None where the patch says none. A copy leaves the old file where it is.
    """

    line: int
    old_path: bytes | None
    new_path: bytes | None
    old_mode: int | None = None
    new_mode: int | None = None
    is_copy: bool = False
    hunks: tuple[HunkText, ...] = ()
    binary: Binary | None = None


class _Said:
    """What the lines before the content say of one file."""

    __slots__ = (
        "is_copy",
        "is_deleted",
        "is_new",
        "new_mode",
        "new_path",
        "old_mode",
        "old_path",
    )

    def __init__(self) -> None:
        self.old_path: bytes | None = None
        self.new_path: bytes | None = None
        self.old_mode: int | None = None
        self.new_mode: int | None = None
        self.is_new = False
        self.is_deleted = False
        self.is_copy = False


_HUNK: Final = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_SIZE: Final = re.compile(rb"(literal|delta) (\d{1,10})$")
_MODE: Final = re.compile(rb"(old|new|deleted file|new file) mode ([0-7]{6})$")
_NAME: Final = re.compile(rb"(rename|copy) (from|to) (.+)$")
_IDLE: Final = re.compile(rb"(?:dis)?similarity index |index ")
_GIT: Final = b"diff --git "
_NOWHERE: Final = b"/dev/null"

Names = tuple[bytes | None, bytes | None]


def read(data: bytes, first: int = 1, strip: int = 1) -> list[FilePatch]:
    """Return what a patch does to each file, in its order; what is no patch is passed over.

    Args:
        data: the patch, with anything before, between and behind its files.
        first: the number of its first line, for errors.
        strip: how many components names lose; those of renames have one less to lose.

    Cost: the lines; binary content is inflated.

    Raises:
        PatchError: something begins as a patch and is none, or breaks a rule.
    """
    reader = _Reader(data.split(b"\n"), first, strip)
    found = []
    while not reader.is_over:
        if reader.line.startswith(_GIT):
            found.append(reader.git_file())
        elif reader.is_plain():
            found.append(reader.plain_file())
        else:
            reader.at += 1
    return found


class _Reader:
    """Goes through the lines of a patch."""

    __slots__ = ("_first", "_left", "_lines", "_strip", "at")

    def __init__(self, lines: Sequence[bytes], first: int, strip: int) -> None:
        self._lines = lines
        self._first = first
        self._strip = strip
        self._left = LIMIT
        self.at = 0

    @property
    def is_over(self) -> bool:
        """Whether all lines were read."""
        return self.at >= len(self._lines)

    @property
    def line(self) -> bytes:
        """The line that comes next; empty behind the last."""
        return b"" if self.is_over else self._lines[self.at]

    def is_plain(self) -> bool:
        """Tell whether a plain unified diff of a file comes next."""
        return (
            self.line.startswith(b"--- ")
            and self.at + 2 < len(self._lines)
            and self._lines[self.at + 1].startswith(b"+++ ")
            and _HUNK.match(self._lines[self.at + 2]) is not None
        )

    def fail(self, rule: str) -> NoReturn:
        """Refuse the line that comes next.

        Raises:
            PatchError: always.
        """
        raise PatchError(self._first + self.at, rule)

    def git_file(self) -> FilePatch:
        """Read one file of a patch of Git's."""
        start = self.at
        self.at += 1
        said = self._said()
        old, new = self._names() or self._named_twice(start)
        old, new = said.old_path or old, said.new_path or new
        if said.is_new:
            old = None
        if said.is_deleted:
            new = None
        self._refuse(start, old, new)
        hunks = self._hunks()
        return FilePatch(
            self._first + start,
            old,
            new,
            said.old_mode,
            said.new_mode,
            said.is_copy,
            hunks,
            None if hunks else self._binary(),
        )

    def plain_file(self) -> FilePatch:
        """Read one file of a plain diff; the new name is that of both sides."""
        start = self.at
        old, new = self._names() or (None, None)
        name = new or old
        self._refuse(start, name)
        at = (None if old is None else name), (None if new is None else name)
        return FilePatch(self._first + start, *at, hunks=self._hunks())

    def _said(self) -> _Said:
        """Read the lines between the first one and the content."""
        said = _Said()
        while True:
            line = self.line.removesuffix(b"\r")
            mode, name = _MODE.match(line), _NAME.match(line)
            if mode is not None:
                self._note_mode(said, mode[1], int(mode[2], 8))
            elif name is not None:
                self._note_name(said, name)
            elif not _IDLE.match(line):
                return said
            self.at += 1

    @staticmethod
    def _note_mode(said: _Said, what: bytes, mode: int) -> None:
        said.is_new = said.is_new or what == b"new file"
        said.is_deleted = said.is_deleted or what == b"deleted file"
        if what in {b"old", b"deleted file"}:
            said.old_mode = mode
        else:
            said.new_mode = mode

    def _note_name(self, said: _Said, name: re.Match[bytes]) -> None:
        path = self._below(self._whole_name(name[3]), self._strip - 1)
        said.is_copy = said.is_copy or name[1] == b"copy"
        if name[2] == b"from":
            said.old_path = path
        else:
            said.new_path = path

    def _whole_name(self, text: bytes) -> bytes:
        """Return a name that takes the rest of its line."""
        if not text.startswith(b'"'):
            return text
        found = unquoted(text)
        if found is None or found[1] != len(text):
            self.fail("a name is badly quoted")
        return found[0]

    def _names(self) -> Names | None:
        """Read the names that stand before hunks, if they do; None is nowhere."""
        if not self.line.startswith(b"--- "):
            return None
        found: list[bytes | None] = []
        for sign in (b"--- ", b"+++ "):
            if not self.line.startswith(sign):
                self.fail("a line with the new name is missing")
            text = self.line[4:].removesuffix(b"\r")
            if not text.startswith(b'"'):
                text = text.partition(b"\t")[0]
            name = self._whole_name(text)
            found.append(None if name == _NOWHERE else self._below(name, self._strip))
            self.at += 1
        return found[0], found[1]

    def _named_twice(self, start: int) -> Names:
        """Return the name that the first line has twice, or the two that it has in quotes.

        Where they differ, other lines tell them; so nothing is lost where this finds none.
        """
        text = self._lines[start].removeprefix(_GIT).removesuffix(b"\r")
        quote = unquoted(text)
        if quote is not None:
            old, new = quote[0], text[quote[1] + 1 :]
        else:
            middle = text.find(b' "') if text.endswith(b'"') else len(text) // 2
            old, new = text[:middle], text[middle + 1 :]
        ends = [_end_of(name, self._strip) for name in (old, self._whole_name(new))]
        return (ends[0], ends[1]) if ends[0] == ends[1] else (None, None)

    def _below(self, name: bytes, strip: int) -> bytes:
        """Return a name without some first components."""
        path = _end_of(name, strip)
        if not path:
            self.fail(f"a name has no {strip} components to take away, such as a/")
        return path

    def _refuse(self, start: int, *paths: bytes | None) -> None:
        """Refuse paths that may not be, or if there is none."""
        named = [path for path in paths if path is not None]
        if not named:
            raise PatchError(self._first + start, "it names no file")
        for path in named:
            reason = path_refusal(path)
            if reason is not None:
                shown = path.decode("utf-8", "backslashreplace")
                raise PatchError(self._first + start, f"path {shown} {reason}")

    def _hunks(self) -> tuple[HunkText, ...]:
        found = []
        while self.line.startswith(b"@@ -"):
            found.append(self._hunk())
        return tuple(found)

    def _hunk(self) -> HunkText:
        header = _HUNK.match(self.line)
        if header is None:
            self.fail("the head of a hunk is damaged")
        old_left, new_left = (int(header[at] or b"1") for at in (2, 4))
        self.at += 1
        old: list[bytes] = []
        new: list[bytes] = []
        before = after = 0
        is_edited = False
        while old_left or new_left:
            sign, text = self._hunk_line()
            old_left -= sign != b"+"
            new_left -= sign != b"-"
            if old_left < 0 or new_left < 0:
                self.fail("a hunk has more lines than it says")
            if sign != b"+":
                old.append(text)
            if sign != b"-":
                new.append(text)
            is_edited = is_edited or sign != b" "
            before += not is_edited
            after = after + 1 if sign == b" " else 0
        return HunkText(int(header[1]), tuple(old), tuple(new), before, after)

    def _hunk_line(self) -> tuple[bytes, bytes]:
        """Read a line of a hunk, and the one that says that it ends without LF."""
        if self.is_over or (self.at == len(self._lines) - 1 and not self.line):
            self.fail("a hunk is cut short")
        line = self.line
        # Mails lose the space of an empty line.
        sign = line[:1] or b" "
        if sign not in {b" ", b"-", b"+"}:
            self.fail("a line of a hunk begins with neither a space nor - nor +")
        self.at += 1
        if self.line.startswith(b"\\ "):
            self.at += 1
            return sign, line[1:]
        return sign, line[1:] + b"\n"

    def _binary(self) -> Binary | None:
        if self.line.startswith((b"Binary files ", b"Files ")):
            self.fail("it says that binary files differ, and does not hold them")
        if self.line != b"GIT binary patch":
            return None
        self.at += 1
        found = self._literal()
        if _SIZE.match(self.line):
            self._literal()
        return found

    def _literal(self) -> Binary:
        header = _SIZE.match(self.line)
        if header is None:
            self.fail("binary content is neither literal nor delta")
        self.at += 1
        start = self.at
        while self.line:
            self.at += 1
        try:
            # All content of a patch together is limited, not each piece of it.
            data = decoded(int(header[2]), self._lines[start : self.at], self._left)
        except LiteralError as error:
            raise PatchError(self._first + start, f"of binary content, {error}") from error
        self._left -= len(data)
        self.at += not self.is_over
        return Binary(data, header[1] == b"delta")


def _end_of(name: bytes, strip: int) -> bytes:
    """Return a name without some first components; nothing where it has no more."""
    strip = max(strip, 0)
    parts = name.split(b"/", strip)
    return parts[strip] if strip < len(parts) else b""
