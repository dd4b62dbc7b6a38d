"""What patches make of the files that are there, worked out in memory (spec: L65).

Nothing is written here. What one patch renames or copies it finds as it was before that patch;
whatever else it does follows what it did to the same file before.
"""

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from oxy.typed import Final, NamedTuple

from oxy.actions.patch import EXECUTABLE, REGULAR, SUBREPO, SYMLINK
from oxy.diff.fitting import UnfitError, fitted
from oxy.diff.literal import LIMIT, LiteralError, patched
from oxy.diff.reading import Binary, FilePatch
from oxy.errors import RequestError
from oxy.model.operation import KIND_SYMLINK
from oxy.worktree.loading import again, load
from oxy.worktree.moves import record_at
from oxy.worktree.reader import TreeReader
from oxy.worktree.workcopy import WorkingCopy

SHOWN: Final = 10
"""Most files that an error names."""

_MODES: Final = {REGULAR, EXECUTABLE, SYMLINK}


class DoesNotApplyError(RequestError):
    """Files are not as a patch needs them; nothing was done. `reasons` name file and hunk."""

    def __init__(self, reasons: Sequence[str]) -> None:
        more = f"; and {len(reasons) - SHOWN} more" if len(reasons) > SHOWN else ""
        super().__init__(f"the patch does not apply: {'; '.join(reasons[:SHOWN])}{more}")
        self.reasons = tuple(reasons)


class File(NamedTuple):
    """A file, or a symlink with where it points, and Git's mode for it."""

    mode: int
    data: bytes


class Off(NamedTuple):
    """A hunk that fits, if not where it says: its file, its number, by how many lines."""

    path: bytes
    hunk: int
    offset: int


class Outcome(NamedTuple):
    """What one patch makes: of each path, None for no file; its renames; hunks that are off."""

    files: dict[bytes, File | None]
    renames: tuple[tuple[bytes, bytes], ...]
    off: tuple[Off, ...]


class _UnlikeError(RequestError):
    """One file is not as a patch needs it."""


class Files:
    """The files of the working copy with what patches make of them."""

    __slots__ = ("_copy", "_made", "_reader", "left", "records")

    def __init__(self, copy: WorkingCopy) -> None:
        self._copy = copy
        self._reader = TreeReader(copy.fd)
        self._made: dict[bytes, File | None] = {}
        self.left = LIMIT
        """Bytes that deltas may make still."""
        self.records: dict[bytes, bytes | None] = {}
        """Of every path that was looked at, the record of what is there."""

    def close(self) -> None:
        """Close what was opened."""
        self._reader.close()

    def at(self, path: bytes) -> File | None:
        """Return the file at a path.

        Raises:
            ChangedError, NotAFileError, UnreadableError: it cannot be read.
        """
        if path in self._made:
            return self._made[path]
        record = record_at(self._copy, path)
        self.records[path] = record
        if record is None:
            return None
        loaded = load(self._reader, path, record)
        data = loaded.data
        if data is None:
            data = b"".join(again(self._reader, path, record, loaded.digest))
        if loaded.kind == KIND_SYMLINK:
            return File(SYMLINK, data)
        return File(EXECUTABLE if loaded.mode else REGULAR, data)

    def put(self, outcome: Outcome) -> None:
        """Go on from what a patch made."""
        self._made |= outcome.files


def outcome_of(files: Files, patches: Sequence[FilePatch]) -> Outcome:
    """Return what the files of one patch make of those that are there.

    Raises:
        DoesNotApplyError: some are not as the patch needs them; all of these are named.
        ChangedError, NotAFileError, UnreadableError: a file cannot be read.
    """
    working = _Working(files, patches)
    reasons = []
    for patch in patches:
        try:
            working.take(patch)
        except _UnlikeError as error:
            reasons.append(str(error))
    reasons += _nested(working.made)
    if reasons:
        raise DoesNotApplyError(reasons)
    return Outcome(working.made, tuple(working.renames), tuple(working.off))


class _Working:
    """One patch under way."""

    __slots__ = ("_files", "_leaving", "made", "off", "renames")

    def __init__(self, files: Files, patches: Iterable[FilePatch]) -> None:
        self._files = files
        self._leaving = {
            patch.old_path
            for patch in patches
            if patch.old_path != patch.new_path and not patch.is_copy
        }
        self.made: dict[bytes, File | None] = {}
        self.renames: list[tuple[bytes, bytes]] = []
        self.off: list[Off] = []

    def take(self, patch: FilePatch) -> None:
        """Do what a patch does to one file.

        Raises:
            _UnlikeError: it is not as the patch needs it.
        """
        old, new = patch.old_path, patch.new_path
        shown = os.fsdecode(new or old or b"")
        if SUBREPO in {patch.old_mode, patch.new_mode}:
            message = f"{shown} is a subrepo"
            raise _UnlikeError(message)
        was = None if old is None else self._old(old, patch)
        if old != new:
            self._require_free(new)
        file = self._made_of(was, patch, shown)
        if old is not None and old != new and not patch.is_copy:
            self.made.setdefault(old, None)
            if new is not None:
                self.renames.append((old, new))
        if new is not None:
            self.made[new] = file
        elif old is not None:
            self.made[old] = None

    def _old(self, path: bytes, patch: FilePatch) -> File:
        is_elsewhere = patch.new_path not in {None, path}
        found = self._files.at(path)
        if not is_elsewhere and path in self.made:
            found = self.made[path]
        if found is None:
            message = f"there is no {os.fsdecode(path)}"
            raise _UnlikeError(message)
        wanted = patch.old_mode
        if wanted is not None and stat.S_IFMT(wanted) != stat.S_IFMT(found.mode):
            message = f"{os.fsdecode(path)} is of another type"
            raise _UnlikeError(message)
        return found

    def _require_free(self, path: bytes | None) -> None:
        if path is None:
            return
        taken = self.made.get(path)
        if taken is None and path not in self.made and path not in self._leaving:
            taken = self._files.at(path)
        if taken is not None:
            message = f"{os.fsdecode(path)} is there already"
            raise _UnlikeError(message)

    def _made_of(self, was: File | None, patch: FilePatch, shown: str) -> File | None:
        """Return what becomes of a file; None where it is deleted."""
        data = b"" if was is None else was.data
        if patch.binary is not None:
            data = self._binary(data, patch.binary, shown)
        elif patch.hunks:
            data = self._fitted(data, patch, shown)
        if patch.new_path is None:
            if data:
                message = f"{shown} holds more than what is deleted"
                raise _UnlikeError(message)
            return None
        mode = patch.new_mode or (was.mode if was is not None else REGULAR)
        if mode not in _MODES:
            message = f"{shown} would have mode {mode:06o}"
            raise _UnlikeError(message)
        if was is not None and stat.S_IFMT(mode) != stat.S_IFMT(was.mode):
            message = f"{shown} would be of another type"
            raise _UnlikeError(message)
        return File(mode, data)

    def _binary(self, data: bytes, binary: Binary, shown: str) -> bytes:
        if not binary.is_delta:
            return binary.data
        try:
            made = patched(data, binary.data, self._files.left)
        except LiteralError as error:
            message = f"of {shown}, {error}"
            raise _UnlikeError(message) from error
        self._files.left -= len(made)
        return made

    def _fitted(self, data: bytes, patch: FilePatch, shown: str) -> bytes:
        try:
            text, offsets = fitted(data, patch.hunks)
        except UnfitError as error:
            message = f"of {shown}, {error}"
            raise _UnlikeError(message) from error
        path = patch.new_path or patch.old_path or b""
        self.off += [Off(path, at, by) for at, by in enumerate(offsets, 1) if by]
        return text


def _nested(made: Mapping[bytes, File | None]) -> list[str]:
    """Return why files and directories of a patch cannot both be there."""
    files = {path for path, file in made.items() if file is not None}
    found = []
    for path in sorted(files):
        above = path
        while above := above.rpartition(b"/")[0]:
            if above in files:
                found.append(f"{os.fsdecode(above)} would be a file and a directory")
    return found
