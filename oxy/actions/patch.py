"""Differences of files in Git's patch format (spec: command-line, L60). Pure.

What is made here is taken by `git apply`, and by `patch` where that can express it.
"""

from collections.abc import Callable, Iterable, Iterator
from oxy.typed import Final, NamedTuple

from oxy.diff.lines import Edit, edits
from oxy.diff.quoting import quoted
from oxy.diff.similarity import fingerprint, similarity
from oxy.diff.unified import CONTEXT, Hunk, grouped, shown
from oxy.model.operation import KIND_SUBREPO, KIND_SYMLINK

REGULAR: Final = 0o100644
EXECUTABLE: Final = 0o100755
SYMLINK: Final = 0o120000
SUBREPO: Final = 0o160000

_TYPE: Final = 0o170000
_FILE: Final = 0o100000
_NOWHERE: Final = b"/dev/null"
_NO_BLOB: Final = b"0" * 40


class Source(NamedTuple):
    """Binary content that is read when it is asked for: its size, and its pieces."""

    size: int
    chunks: Callable[[], Iterable[bytes]]


class FileDiff(NamedTuple):
    """One file before and after; what is None on one side was added or deleted.

    Modes are Git's. `old` and `new` are the content: of a symlink its target, of a subrepo what
    `pinned` gives, of a binary its digest. `binary` says that either content is binary; a
    binary that has no source is only said to differ.
    """

    old_path: bytes | None
    new_path: bytes | None
    old_mode: int | None
    new_mode: int | None
    old: bytes | None
    new: bytes | None
    binary: bool = False
    old_source: Source | None = None
    new_source: Source | None = None


class Side(NamedTuple):
    """A file on one side of a difference; `data` is a digest where it has a source."""

    path: bytes
    mode: int
    data: bytes
    binary: bool
    source: Source | None = None


class Manner(NamedTuple):
    """How differences are shown: lines around each, and which white space is looked past.

    `past` is as `oxy.diff.blank` has it. With `brief` a binary is only said to differ.
    """

    context: int = CONTEXT
    past: str | None = None
    brief: bool = False


PLAIN: Final = Manner()


def difference(old: Side | None, new: Side | None) -> FileDiff | None:
    """Return the difference of two sides of a file, or None if there is none."""
    if (old and old[:4]) == (new and new[:4]):
        return None
    return FileDiff(
        old.path if old else None,
        new.path if new else None,
        old.mode if old else None,
        new.mode if new else None,
        old.data if old else None,
        new.data if new else None,
        any(part.binary for part in (old, new) if part),
        old.source if old else None,
        new.source if new else None,
    )


def git_mode(kind: int, mode: int) -> int:
    """Return Git's mode for the kind of a node and its mode register."""
    if kind == KIND_SYMLINK:
        return SYMLINK
    if kind == KIND_SUBREPO:
        return SUBREPO
    return EXECUTABLE if mode else REGULAR


def whole(data: bytes) -> Source:
    """Return content that is at hand as a source."""
    return Source(len(data), lambda: (data,))


def pinned(pin: bytes) -> bytes:
    """Return the text that stands for a subrepo's pin in a patch.

    Of a Git commit it is what Git writes; what has neither form is shown in hexadecimal.
    """
    is_known = (
        pin.startswith((b"git:", b"oxy:")) and pin.isascii() and pin.decode().isprintable()
    )
    return b"Subproject commit %b\n" % (
        pin.removeprefix(b"git:") if is_known else pin.hex().encode()
    )


def parts(diff: FileDiff) -> tuple[FileDiff, ...]:
    """Return a difference as the patch format has it: a change of type is two differences."""
    old_mode, new_mode = diff.old_mode, diff.new_mode
    if old_mode is None or new_mode is None or old_mode & _TYPE == new_mode & _TYPE:
        return (diff,)
    return (
        diff._replace(
            new_path=None,
            new_mode=None,
            new=None,
            new_source=None,
            binary=diff.binary and old_mode & _TYPE == _FILE,
        ),
        diff._replace(
            old_path=None,
            old_mode=None,
            old=None,
            old_source=None,
            binary=diff.binary and new_mode & _TYPE == _FILE,
        ),
    )


def heading(diff: FileDiff) -> list[bytes]:
    """Return the lines before the content, without LF."""
    old = diff.old_path or diff.new_path or b""
    new = diff.new_path or old
    lines = [b"diff --git %b %b" % (quoted(b"a/" + old), quoted(b"b/" + new))]
    lines += _modes(diff)
    if old != new:
        lines += _likeness(diff)
        lines += [b"rename from " + quoted(old), b"rename to " + quoted(new)]
    if diff.binary or (diff.old or b"") == (diff.new or b""):
        return lines
    before, after = _names(diff)
    # A name with a space ends in a TAB here, so that `patch` sees where it ends.
    return [*lines, b"--- " + before + _tab(before), b"+++ " + after + _tab(after)]


def _modes(diff: FileDiff) -> list[bytes]:
    if diff.new_mode is None:
        return [b"deleted file mode %06o" % (diff.old_mode or REGULAR)]
    if diff.old_mode is None:
        return [b"new file mode %06o" % diff.new_mode]
    if diff.old_mode != diff.new_mode:
        return [b"old mode %06o" % diff.old_mode, b"new mode %06o" % diff.new_mode]
    return []


def _likeness(diff: FileDiff) -> list[bytes]:
    """Return the line that says how much of a file was kept; none where that is not known."""
    if diff.old == diff.new:
        return [b"similarity index 100%"]
    if diff.binary:
        return []
    alike = similarity(fingerprint(diff.old or b""), fingerprint(diff.new or b""))
    # Only content that is the same is wholly alike; of very short texts it is not known.
    return [b"similarity index %d%%" % min(alike // 10, 99)] if alike else []


def _names(diff: FileDiff) -> tuple[bytes, bytes]:
    """Return the old and the new path as they stand before content."""
    return (
        quoted(b"a/" + diff.old_path) if diff.old_path else _NOWHERE,
        quoted(b"b/" + diff.new_path) if diff.new_path else _NOWHERE,
    )


def _tab(name: bytes) -> bytes:
    return b"\t" if b" " in name and not name.startswith(b'"') else b""


def body(diff: FileDiff, manner: Manner = PLAIN) -> list[Hunk]:
    """Return the hunks of a difference; none where content is binary."""
    if diff.binary:
        return []
    old, new, context = diff.old or b"", diff.new or b"", manner.context
    return shown(old, new, list(grouped(edits_in(old, new, manner.past), context)), context)


def edits_in(old: bytes, new: bytes, past: str | None) -> list[Edit]:
    """Return the edits between two texts, past the white space that is to be looked past."""
    if past is None:
        return edits(old, new)
    from oxy.diff.blank import edits_past

    return edits_past(old, new, past)


def says_nothing(diff: FileDiff, manner: Manner) -> bool:
    """Tell whether nothing is left of a difference: it is all in white space."""
    return (
        manner.past is not None
        and diff.old_path == diff.new_path
        and diff.old_mode == diff.new_mode
        and not diff.binary
        and not body(diff, manner)
    )


def binary_lines(diff: FileDiff, manner: Manner = PLAIN) -> Iterator[bytes]:
    """Yield the lines of binary content that differs: the content of both sides, or a word.

    Cost: each content is read twice, a piece at a time.
    """
    if not diff.binary or (diff.old or b"") == (diff.new or b""):
        return
    if manner.brief or diff.old_source is diff.new_source is None:
        yield b"Binary files %b and %b differ" % _names(diff)
        return
    from oxy.diff.literal import encoded

    sides = _source(diff.old, diff.old_source), _source(diff.new, diff.new_source)
    ids = [
        _NO_BLOB if path is None else _blob(side)
        for path, side in zip((diff.old_path, diff.new_path), sides, strict=True)
    ]
    mode = b" %06o" % diff.old_mode if diff.old_mode and diff.old_mode == diff.new_mode else b""
    yield b"index %b..%b%b" % (*ids, mode)
    yield b"GIT binary patch"
    for size, chunks in reversed(sides):
        yield from encoded(size, chunks())


def _source(data: bytes | None, source: Source | None) -> Source:
    """Return what a side holds: of a text beside a binary there are its bytes."""
    return source or whole(data or b"")


def _blob(side: Source) -> bytes:
    """Return the id that Git gives to content, without which it takes no binary patch."""
    # Not above: it loads OpenSSL, 6 ms, and little that is shown is binary.
    import hashlib

    hasher = hashlib.sha1(b"blob %d\0" % side.size, usedforsecurity=False)
    for chunk in side.chunks():
        hasher.update(chunk)
    return hasher.hexdigest().encode()


def lines_of(diff: FileDiff, manner: Manner = PLAIN) -> Iterator[bytes]:
    """Yield every line of the patch of one file, without LF."""
    for part in parts(diff):
        yield from heading(part)
        yield from binary_lines(part, manner)
        for hunk in body(part, manner):
            yield hunk.header()
            yield from hunk.lines
