"""Write a whole tree where nothing is tracked yet, directory by directory (spec: W43).

What is not on disk cannot be lost: no path below a directory that is not there is looked at,
and nothing is held of a file but its entry in the manifest.
"""

import os
import stat
from collections.abc import Container, Iterator
from itertools import islice
from oxy.typed import Final, NamedTuple

from oxy.model.operation import KIND_SUBREPO
from oxy.model.pathrule import path_refusal
from oxy.phase import phase
from oxy.progress import Progress
from oxy.repo.tree import Directory, Entry, files
from oxy.worktree.checkout import RefusedPathError
from oxy.worktree.content import Content
from oxy.worktree.descent import Descent
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.listing import UnreadableError
from oxy.worktree.placing import put
from oxy.worktree.row import Entry as Known
from oxy.worktree.row import Row
from oxy.worktree.writer import TreeWriter

BATCH: Final = 512
"""Files whose contents are looked up together."""


class _File(NamedTuple):
    directory: bytes
    name: bytes
    item: Item

    @property
    def path(self) -> bytes:
        return self.directory + b"/" + self.name if self.directory else self.name


class Filled(NamedTuple):
    """The rows of the manifest of what was written, with no clock yet, and how many files."""

    rows: list[Row]
    written: int


def occupied(root: int, tree: Directory) -> Iterator[bytes]:
    """Yield the paths of a tree at which something stands, or may be in the way.

    Args:
        root: the descriptor of the working copy.
        tree: what is to be written.

    Cost: a look at each name of the tree, and at the directories that are on disk.

    Raises:
        RefusedPathError: the path rule refuses a path.
        UnreadableError: the system refuses to tell.
    """
    for file in _files(tree):
        reason = path_refusal(file.path)
        if reason is not None:
            raise RefusedPathError(file.path, reason)
    descent = Descent(root)
    try:
        pending = [(b"", tree)]
        while pending:
            path, directory = pending.pop()
            for name in directory.entries.keys() & _names(descent, path):
                below = path + b"/" + name if path else name
                child = directory.entries[name]
                if isinstance(child, Entry):
                    yield below
                elif _is_directory(descent, path, name):
                    pending.append((below, child))
                else:
                    yield from (each for each, _ in islice(files(child, below), 1))
    finally:
        descent.close()


def _names(descent: Descent, path: bytes) -> set[bytes]:
    try:
        return set(map(os.fsencode, os.listdir(descent.at(path))))
    except OSError as error:
        raise UnreadableError(path, error) from error


def _is_directory(descent: Descent, path: bytes, name: bytes) -> bool:
    try:
        status = os.stat(name, dir_fd=descent.at(path), follow_symlinks=False)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise UnreadableError(path, error) from error
    return stat.S_ISDIR(status.st_mode)


def fill(
    root: int,
    tree: Directory,
    target: Content,
    settled: Container[bytes],
    progress: Progress | None = None,
) -> Filled:
    """Write every file of a tree but those that are settled; nothing is at their paths.

    A failure leaves some files written.

    Cost: memory for the rows, and for one batch of files without their contents.

    Raises:
        ChangedError, InTheWayError: something is there now.
        UnwritableError: the system refuses.
    """
    rows: list[Row] = []
    known: list[Known] = []
    at, written = b"", 0
    writer = TreeWriter(root)
    pending = (file for file in _files(tree) if file.path not in settled)
    try:
        with phase("write"):
            while batch := list(islice(pending, BATCH)):
                if progress is not None:
                    progress.update(written, None, "files")
                contents = target.each([file.item for file in batch])
                for file, (item, chunks) in zip(batch, contents, strict=True):
                    if file.directory != at:
                        rows += _rows(at, known)
                        at, known = file.directory, []
                    held, record = put(writer, file.path, item, None, chunks)
                    known.append(held.entry(file.name, record))
                written += len(batch)
    finally:
        writer.close()
    rows += _rows(at, known)
    return Filled(rows, written)


def _rows(directory: bytes, known: list[Known]) -> list[Row]:
    return [Row.of(directory, known, 0)] if known else []


def _files(tree: Directory) -> Iterator[_File]:
    """Yield the files of a tree, those of one directory together."""
    pending = [(b"", tree)]
    while pending:
        path, directory = pending.pop()
        below = []
        for name, child in sorted(directory.entries.items()):
            if isinstance(child, Directory):
                below.append((path + b"/" + name if path else name, child))
            elif child.kind != KIND_SUBREPO:
                digest = child.digest or UNHASHED
                yield _File(path, name, Item(child.node, child.kind, child.mode, digest))
        pending += reversed(below)
