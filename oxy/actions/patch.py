"""Differences of files in Git's patch format (spec: command-line). Pure.

What is made here is taken by `git apply` and `patch`; binary content is only said to differ.
"""

from collections.abc import Iterator
from oxy.typed import Final, NamedTuple

from oxy.diff.unified import Hunk, hunks
from oxy.model.operation import KIND_SUBREPO, KIND_SYMLINK

REGULAR: Final = 0o100644
EXECUTABLE: Final = 0o100755
SYMLINK: Final = 0o120000
SUBREPO: Final = 0o160000

_TYPE: Final = 0o170000
_NOWHERE: Final = b"/dev/null"
_SPECIAL: Final = {7: b"a", 8: b"b", 9: b"t", 10: b"n", 11: b"v", 12: b"f", 13: b"r"}


class FileDiff(NamedTuple):
    """One file before and after; what is None on one side was added or deleted.

    Modes are Git's. `old` and `new` are the content: of a symlink its target, of a subrepo what
    `pinned` gives. `binary` says that either content is binary, whose lines are not shown.
    """

    old_path: bytes | None
    new_path: bytes | None
    old_mode: int | None
    new_mode: int | None
    old: bytes | None
    new: bytes | None
    binary: bool = False


class Side(NamedTuple):
    """A file on one side of a difference; `data` may be a digest where it is binary."""

    path: bytes
    mode: int
    data: bytes
    binary: bool


def difference(old: Side | None, new: Side | None) -> FileDiff | None:
    """Return the difference of two sides of a file, or None if there is none."""
    if old == new:
        return None
    return FileDiff(
        old.path if old else None,
        new.path if new else None,
        old.mode if old else None,
        new.mode if new else None,
        old.data if old else None,
        new.data if new else None,
        any(part.binary for part in (old, new) if part),
    )


def git_mode(kind: int, mode: int) -> int:
    """Return Git's mode for the kind of a node and its mode register."""
    if kind == KIND_SYMLINK:
        return SYMLINK
    if kind == KIND_SUBREPO:
        return SUBREPO
    return EXECUTABLE if mode else REGULAR


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
        diff._replace(new_path=None, new_mode=None, new=None),
        diff._replace(old_path=None, old_mode=None, old=None),
    )


def heading(diff: FileDiff) -> list[bytes]:
    """Return the lines before the hunks, without LF."""
    old = diff.old_path or diff.new_path or b""
    new = diff.new_path or old
    lines = [b"diff --git %b %b" % (quoted(b"a/" + old), quoted(b"b/" + new))]
    lines += _modes(diff)
    if diff.old_path and diff.new_path and old != new:
        lines += [b"rename from " + quoted(old), b"rename to " + quoted(new)]
    if (diff.old or b"") == (diff.new or b""):
        return lines
    before = quoted(b"a/" + old) if diff.old_path else _NOWHERE
    after = quoted(b"b/" + new) if diff.new_path else _NOWHERE
    if diff.binary:
        return [*lines, b"Binary files %b and %b differ" % (before, after)]
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


def _tab(name: bytes) -> bytes:
    return b"\t" if b" " in name and not name.startswith(b'"') else b""


def body(diff: FileDiff) -> list[Hunk]:
    """Return the hunks of a difference; none where content is binary."""
    return [] if diff.binary else hunks(diff.old or b"", diff.new or b"")


def lines_of(diff: FileDiff) -> Iterator[bytes]:
    """Yield every line of the patch of one file, without LF."""
    for part in parts(diff):
        yield from heading(part)
        for hunk in body(part):
            yield hunk.header()
            yield from hunk.lines


def quoted(path: bytes) -> bytes:
    """Return a path as Git writes it in a patch: quoted where it holds what would mislead."""
    if path.isascii() and path.decode().isprintable() and not {0x22, 0x5C} & set(path):
        return path
    return b'"%b"' % b"".join(map(_escaped, path))


def _escaped(byte: int) -> bytes:
    if byte in _SPECIAL:
        return b"\\" + _SPECIAL[byte]
    if byte in {0x22, 0x5C}:
        return b"\\%c" % byte
    return b"%c" % byte if 0x20 <= byte < 0x7F else b"\\%03o" % byte  # noqa: PLR2004 - ASCII
