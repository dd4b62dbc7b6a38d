"""Write a whole tree where nothing is tracked yet, directory by directory (spec: W43).

What is not on disk cannot be lost: no path below a directory that is not there is looked at,
and nothing is held of a file but its entry in the manifest.
"""

import os
import stat
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from oxy.typed import Final, NamedTuple

from oxy.model.operation import KIND_SUBREPO
from oxy.model.pathrule import path_refusal
from oxy.phase import phase
from oxy.processors import processors
from oxy.progress import Progress
from oxy.repo.aside import Aside
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

PAYS: Final = 1_000
"""Files from which on more than one process pays."""


class _File(NamedTuple):
    directory: bytes
    name: bytes
    item: Item

    @property
    def path(self) -> bytes:
        return self.directory + b"/" + self.name if self.directory else self.name


_Share = Callable[[], Iterator[_File]]


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

    Many files are shared by as many processes as there are processors (W36). A failure leaves
    some files written.

    Cost: memory for the rows, and for one batch of files without their contents.

    Raises:
        ChangedError, InTheWayError: something is there now.
        UnwritableError: the system refuses.
    """
    first, *others = _shares(tree, settled)
    helpers = [Aside(partial(_write_aside, root, share, target), Row._make) for share in others]
    filler = _Filler(root, target)
    try:
        with phase("write"):
            filler.write(first(), progress, 1 + len(others))
            for helper, share in zip(helpers, others, strict=True):
                # Something is left of a share only where its process failed: so this fails too.
                filler.write(islice(share(), filler.take(helper.answers() or []), None))
    finally:
        filler.close()
        for helper in helpers:
            helper.end()
    return Filled(filler.finished(), filler.written)


def _shares(tree: Directory, settled: Container[bytes]) -> list[_Share]:
    """Return parts of a tree that together are all of it, as many as are written at once."""

    def part(start: int, stop: int | None) -> Iterator[_File]:
        pending = (file for file in _files(tree) if file.path not in settled)
        return islice(pending, start, stop)

    size = _size(tree)
    count = processors() if size >= PAYS else 1
    cuts = [size * at // count for at in range(count)]
    return [partial(part, *cut) for cut in zip(cuts, [*cuts[1:], None], strict=True)]


def _size(tree: Directory) -> int:
    """Return how many files there are, directories counted too."""
    size, pending = 0, [tree]
    while pending:
        entries = pending.pop().entries
        size += len(entries)
        pending += [each for each in entries.values() if isinstance(each, Directory)]
    return size


def _write_aside(root: int, share: _Share, target: Content) -> list[Row]:
    """Write a share in a process of its own; return the rows of what was written."""
    parent = os.getppid()
    filler = _Filler(root, target.opened_anew())
    with suppress(Exception):
        # The parent goes on where this failed, and so says why.
        filler.write(file for file in share() if os.getppid() == parent)
    return filler.finished()


class _Filler:
    """Writes files, and gathers the rows of their directories, which come one after another."""

    __slots__ = ("_at", "_known", "_rows", "_target", "_writer", "written")

    def __init__(self, root: int, target: Content) -> None:
        self._writer = TreeWriter(root, in_place=True)
        self._target = target
        self._at = b""
        self._known: list[Known] = []
        self._rows: list[Row] = []
        self.written = 0

    def close(self) -> None:
        self._writer.close()

    def write(
        self, files: Iterator[_File], progress: Progress | None = None, shares: int = 1
    ) -> None:
        """Write files; the other shares are taken to come as far meanwhile."""
        while batch := list(islice(files, BATCH)):
            if progress is not None:
                progress.update(self.written * shares, None, "files")
            contents = self._target.each([file.item for file in batch])
            for file, (item, chunks) in zip(batch, contents, strict=True):
                held, record = put(self._writer, file.path, item, None, chunks)
                if file.directory != self._at:
                    self._turn_to(file.directory)
                self._known.append(held.entry(file.name, record))
                self.written += 1

    def take(self, rows: Iterable[Row]) -> int:
        """Count what another process wrote, behind what was written here; return how much."""
        known = self.written
        self._turn_to(self._at)
        for row in rows:
            self._keep(row)
            self.written += row.joined.count(b"\0") + 1
        return self.written - known

    def finished(self) -> list[Row]:
        """Return the rows of all that was written."""
        self._turn_to(self._at)
        return self._rows

    def _turn_to(self, directory: bytes) -> None:
        if self._known:
            self._keep(Row.of(self._at, self._known, 0))
        self._at, self._known = directory, []

    def _keep(self, row: Row) -> None:
        """Keep a row; a directory in which one share ends and another begins has two."""
        if self._rows and self._rows[-1].path == row.path:
            row = Row.of(row.path, [*self._rows.pop().entries(), *row.entries()], 0)
        self._rows.append(row)


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
