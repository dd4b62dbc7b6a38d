"""Make the files those of another state (spec: working-copy, writing; CP21).

First everything is looked at and nothing is written: a file that was edited, or that nobody
tracks, is never written over. Then files are removed, then written; each is there whole or not
at all. What was planned for a file is compared again just before it is touched.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from blake3 import blake3

from oxy.errors import RequestError
from oxy.model.pathrule import path_refusal
from oxy.phase import phase
from oxy.worktree.content import Content
from oxy.worktree.descent import Descent
from oxy.worktree.folding import folds, refuse_folding
from oxy.worktree.item import Item, is_symlink, mode_of
from oxy.worktree.listing import UnreadableError, pack
from oxy.worktree.manifest import Manifest
from oxy.worktree.reader import TreeReader
from oxy.worktree.row import UNKNOWN, is_racy
from oxy.worktree.snapshot import digest_of
from oxy.worktree.writer import TreeWriter

SHOWN = 10
"""Most paths that an error names."""


class WouldOverwriteError(RequestError):
    """Files that were edited, or that nobody tracks, stand where others are to be written."""

    def __init__(self, paths: Sequence[bytes]) -> None:
        named = ", ".join(os.fsdecode(path) for path in paths[:SHOWN])
        rest = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
        super().__init__(f"edited or untracked files would be overwritten: {named}{rest}")
        self.paths = tuple(paths)


class RefusedPathError(RequestError):
    """A state holds a path that may not be written."""

    def __init__(self, path: bytes, reason: str) -> None:
        super().__init__(f"{os.fsdecode(path)} cannot be written: it {reason}")
        self.path = path
        self.reason = reason


class Wanted(NamedTuple):
    """A path that is to change: what it may hold now, and what it is to hold; None is nothing.

    The contents of `held` and `item` are read from the state beside each.
    """

    path: bytes
    held: tuple[tuple[Item | None, Content], ...]
    item: Item | None


class Step(NamedTuple):
    """A file to be written or removed, over what is there now."""

    path: bytes
    item: Item | None
    over: bytes | None


class Plan(NamedTuple):
    """What is to be done, in order; and the files that are as they are to be already."""

    steps: tuple[Step, ...]
    ready: tuple[tuple[bytes, Item | None], ...]


def plan(root: int, manifest: Manifest, wanted: Sequence[Wanted], target: Content) -> Plan:
    """Look at every path that is to change, and say what is to be done.

    Args:
        root: the descriptor of the working copy.
        manifest: what is known of the files.
        wanted: the paths at which the states differ.
        target: where to read what they are to hold.

    Cost: a stat for each path; reads of the files that the manifest does not vouch for.

    Raises:
        WouldOverwriteError: files that cannot be written over are in the way.
        RefusedPathError: the path rule refuses a path.
        NamesFoldError: the file system takes two names for one.
    """
    planner = _Planner(root, manifest, wanted, target)
    try:
        with phase("walk"):
            return planner.plan()
    finally:
        planner.close()


def carry_out(root: int, todo: Plan, target: Content) -> dict[bytes, tuple[Item, bytes] | None]:
    """Do what was planned; return what every path holds then, with the record of its file.

    A failure leaves some files as they were and some as they are to be.

    Raises:
        ChangedError: a file was written since it was looked at; it is left as it is.
        InTheWayError, UnwritableError: a file cannot be written.
    """
    known: dict[bytes, tuple[Item, bytes] | None] = {
        path: None if item is None else (item, UNKNOWN) for path, item in todo.ready
    }
    writer = TreeWriter(root)
    try:
        with phase("write"):
            for path, item, over in todo.steps:
                if item is not None:
                    known[path] = _write(writer, path, item, over, target)
                    continue
                if over is not None:
                    writer.remove(path, over=over)
                known[path] = None
    finally:
        writer.close()
    return known


def _write(
    writer: TreeWriter, path: bytes, item: Item, over: bytes | None, target: Content
) -> tuple[Item, bytes]:
    if item.is_symlink:
        where = target.read(item)
        record = writer.symlink(path, where, over=over)
        return item._replace(digest=blake3(where).digest()), record
    hasher = blake3()

    def chunks() -> Iterator[bytes]:
        for chunk in target.chunks(item):
            hasher.update(chunk)
            yield chunk

    record = writer.write(path, chunks(), executable=bool(item.mode), over=over)
    return item._replace(digest=hasher.digest()), record


class _Planner:
    __slots__ = (
        "_blocked",
        "_descent",
        "_known",
        "_manifest",
        "_reader",
        "_removed",
        "_root",
        "_target",
        "_wanted",
    )

    def __init__(
        self, root: int, manifest: Manifest, wanted: Sequence[Wanted], target: Content
    ) -> None:
        self._root = root
        self._manifest = manifest
        self._wanted = wanted
        self._target = target
        self._descent = Descent(root)
        self._reader = TreeReader(root)
        self._removed = {want.path for want in wanted if want.item is None}
        self._blocked: set[bytes] = set()
        self._known: dict[bytes, dict[bytes, bytes]] = {}

    def close(self) -> None:
        self._descent.close()
        self._reader.close()

    def plan(self) -> Plan:
        self._refuse_folding()
        steps: list[Step] = []
        ready: list[tuple[bytes, Item | None]] = []
        for want in self._wanted:
            reason = path_refusal(want.path) if want.item else None
            if reason is not None:
                raise RefusedPathError(want.path, reason)
            over = self._look(want.path)
            if self._is_ready(want, over):
                ready.append((want.path, want.item))
            elif self._is_free(want, over):
                steps.append(Step(want.path, want.item, over))
            elif self._is_same(want):
                # Edited, but not by the switch: the edit stays one.
                ready.append((want.path, want.item))
            else:
                self._blocked.add(want.path)
        if self._blocked:
            raise WouldOverwriteError(sorted(self._blocked))
        steps.sort(key=lambda step: (step.item is not None, step.path))
        return Plan(tuple(steps), tuple(ready))

    def _refuse_folding(self) -> None:
        """Refuse names that the file system would take for one, if it takes any for one."""
        paths = {want.path for want in self._wanted if want.item is not None}
        if not paths or not folds(self._root):
            return
        for directory in {path.rpartition(b"/")[0] for path in paths}:
            names = self._manifest.names(directory).split(b"\0")
            beside = {directory + b"/" + name if directory else name for name in names if name}
            paths |= beside - self._removed
        refuse_folding(sorted(paths))

    def _look(self, path: bytes) -> bytes | None:
        """Return the record of what is at a path; nothing where what is there will be gone."""
        directory, _, name = path.rpartition(b"/")
        try:
            status = os.stat(name, dir_fd=self._descent.at(directory), follow_symlinks=False)
        except FileNotFoundError:
            return None
        except NotADirectoryError:
            self._block_above(path)
            return None
        except OSError as error:
            raise UnreadableError(path, error) from error
        if stat.S_ISDIR(status.st_mode):
            self._block_below(path)
            return None
        return pack(status)

    def _block_above(self, path: bytes) -> None:
        """Refuse where a file that stays, or a symlink, stands where a directory has to be."""
        names = path.split(b"/")
        for depth in range(1, len(names)):
            above = b"/".join(names[:depth])
            try:
                self._descent.at(above)
            except NotADirectoryError:
                if above not in self._removed:
                    self._blocked.add(above)
                return

    def _block_below(self, path: bytes) -> None:
        """Refuse where a directory will not be empty once what is tracked in it is gone."""
        pending = [path]
        while pending:
            directory = pending.pop()
            with os.scandir(self._descent.at(directory)) as found:
                entries = [
                    (os.fsencode(e.name), e.is_dir(follow_symlinks=False)) for e in found
                ]
            if not entries and directory != path:
                self._blocked.add(directory)
            for name, is_directory in entries:
                below = directory + b"/" + name
                if is_directory:
                    pending.append(below)
                elif below not in self._removed:
                    self._blocked.add(below)

    def _is_ready(self, want: Wanted, over: bytes | None) -> bool:
        """Tell whether a path holds already what it is to hold."""
        if over is None or want.item is None:
            return over is None and want.item is None
        if self._is_known(want.path, over):
            # It is as the base state has it, whose digest needs no reading.
            held = want.held[0][0]
            return held is not None and self._same(held, want.held[0][1], want.item)
        return self._is(want.path, over, want.item, self._target)

    def _is_same(self, want: Wanted) -> bool:
        """Tell whether the states hold the same at a path, although under other nodes."""
        held, content = want.held[0]
        if held is None or want.item is None:
            return False
        return self._same(held, content, want.item)

    def _same(self, held: Item, content: Content, item: Item) -> bool:
        if (held.kind, held.mode) != (item.kind, item.mode):
            return False
        return content.digest(held) == self._target.digest(item)

    def _is_free(self, want: Wanted, over: bytes | None) -> bool:
        """Tell whether a path holds what may be replaced: what some state has there."""
        for held, content in want.held:
            if held is None or over is None:
                if held is None and over is None:
                    return True
            elif self._is_known(want.path, over) or self._is(want.path, over, held, content):
                return True
        return False

    def _is_known(self, path: bytes, record: bytes) -> bool:
        """Tell whether the manifest vouches that a file is as the base state has it."""
        directory, _, name = path.rpartition(b"/")
        known = self._known.get(directory)
        if known is None:
            row = self._manifest.row(directory)
            entries = row.entries() if row else ()
            clock = row.clock if row else 0
            known = {e.name: e.record for e in entries if not is_racy(e.record, clock)}
            self._known[directory] = known
        return known.get(name) == record

    def _is(self, path: bytes, record: bytes, item: Item, content: Content) -> bool:
        """Tell whether a file holds what a state has at its path."""
        mode = mode_of(record)
        if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
            return False
        if not item.fits(record) or is_symlink(record) != item.is_symlink:
            return False
        with phase("read"):
            return digest_of(self._reader, path, record) == content.digest(item)
