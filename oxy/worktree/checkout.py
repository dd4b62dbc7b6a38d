"""Make the files those of another state (spec: working-copy, writing; CP21).

First everything is looked at and nothing is written: a file that nobody tracks, or whose edit
cannot go along (`oxy.worktree.travel`), is never written over. Then files are removed, then
written; each is there whole or not at all. What was planned for a file is compared again just
before it is touched.
"""

import os
import stat
from collections.abc import Sequence
from oxy.typed import NamedTuple

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
from oxy.worktree.row import is_racy
from oxy.worktree.snapshot import digest_of
from oxy.worktree.switching import Journey
from oxy.worktree.travel import (
    BLOCKED,
    EDITED,
    FREE,
    READY,
    Local,
    Placed,
    Stand,
    Step,
    Traveller,
    placed,
)
from oxy.worktree.unfinished import is_remainder

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


class Plan(NamedTuple):
    """What is to be done, in order; the files that are ready; the edits that go along."""

    steps: tuple[Step, ...]
    ready: tuple[tuple[bytes, Item | None], ...]
    journeys: tuple[Journey, ...]


def plan(
    root: int, manifest: Manifest, wanted: Sequence[Wanted], target: Content, local: Local
) -> Plan:
    """Look at every path that is to change, and say what is to be done.

    Args:
        root: the descriptor of the working copy.
        manifest: what is known of the files.
        wanted: the paths at which the states differ.
        target: where to read what they are to hold.
        local: what is known of local edits beforehand, and how they are carried.

    Cost: a stat for each path; reads of the files that the manifest does not vouch for.

    Raises:
        WouldOverwriteError: files that can neither be written over nor go along are in the way.
        ChangedError: a file was written meanwhile.
        RefusedPathError: the path rule refuses a path.
        NamesFoldError: the file system takes two names for one.
    """
    target.foresee(want.item for want in wanted if want.item is not None)
    planner = _Planner(root, manifest, wanted, target)
    try:
        with phase("walk"):
            return planner.plan(local)
    finally:
        planner.close()


class _Planner:
    __slots__ = (
        "_blocked",
        "_descent",
        "_is_unfinished",
        "_known",
        "_lying",
        "_manifest",
        "_moving",
        "_reader",
        "_removed",
        "_root",
        "_target",
        "_underway",
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
        self._removed = {
            want.path
            for want in wanted
            if want.item is None and any(held is not None for held, _ in want.held)
        }
        self._moving = {want.item.node for want in wanted if want.item is not None}
        self._lying: dict[bytes, bytes] = {}
        self._underway: set[bytes] = set()
        self._blocked: set[bytes] = set()
        self._known: dict[bytes, dict[bytes, int]] = {}
        self._is_unfinished = False

    def close(self) -> None:
        self._descent.close()
        self._reader.close()

    def plan(self, local: Local) -> Plan:
        self._refuse_folding()
        self._is_unfinished = local.is_unfinished
        journeys = self._placed(local)
        stands: dict[bytes, Stand] = {}
        for want in self._wanted:
            reason = path_refusal(want.path) if want.item else None
            if reason is not None:
                raise RefusedPathError(want.path, reason)
            over = self._look(want.path)
            verdict = self._verdict(want, over)
            base = want.held[0][0]
            stands[want.path] = Stand(want.path, base, want.item, over, verdict)
        found = Traveller(self._reader, stands, local, journeys).outcome()
        steps, ready = found.steps, found.ready
        for path, _, goal, over, verdict in stands.values():
            if path in found.settled:
                continue
            if verdict == BLOCKED:
                self._blocked.add(path)
            elif verdict == READY or (over is None and goal is None):
                ready.append((path, goal))
            else:
                steps.append(Step(path, goal, over))
        if self._blocked or found.blocked:
            raise WouldOverwriteError(sorted(self._blocked | found.blocked))
        steps.sort(key=_when)
        return Plan(tuple(steps), tuple(ready), tuple(found.journeys))

    def _placed(self, local: Local) -> list[Placed]:
        """Return where the files of an interrupted switch lie that take edits along."""
        found = [placed(self._reader, journey, self._record) for journey in local.journeys]
        found = [
            place
            for place in found
            if place.spot or place.journey.data is not None or not place.journey.spots
        ]
        self._underway = {place.journey.path for place in found}
        self._lying = {p.spot.path: p.record for p in found if p.spot and p.record}
        return found

    def _record(self, path: bytes) -> bytes | None:
        """Return the record of a file or symlink at a path."""
        directory, _, name = path.rpartition(b"/")
        try:
            status = os.stat(name, dir_fd=self._descent.at(directory), follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise UnreadableError(path, error) from error
        record = pack(status)
        return record if _is_file(record) else None

    def _verdict(self, want: Wanted, over: bytes | None) -> int:
        """Tell what may be done at a path."""
        if over is not None and self._lying.get(want.path) == over:
            return FREE
        base = want.held[0][0]
        is_sure = len(want.held) == 1 and want.path not in self._underway
        if self._is_ready(want, over):
            # A deletion of what is elsewhere in the other state goes there.
            is_elsewhere = over is None and base is not None and base.node in self._moving
            return EDITED if is_elsewhere and is_sure else READY
        if self._is_free(want, over) or (over is None and want.path in self._underway):
            return FREE
        if self._is_same(want):
            # Edited, but not by the switch: the edit stays one.
            return READY
        is_edit = base is not None and is_sure and (over is None or _is_file(over))
        return EDITED if is_edit else BLOCKED

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
            elif self._is_held(want.path, over, held, content):
                return True
        return False

    def _is_held(self, path: bytes, record: bytes, item: Item, content: Content) -> bool:
        """Tell whether a file holds what a state has at its path, or was to hold it."""
        if self._is_known(path, record) or self._is(path, record, item, content):
            return True
        return self._is_unfinished and self._is_part(path, record, item, content)

    def _is_part(self, path: bytes, record: bytes, item: Item, content: Content) -> bool:
        """Tell whether a file holds what a crash left of what a state has at its path (W57)."""
        if not stat.S_ISREG(mode_of(record)) or item.is_symlink or not item.fits(record):
            return False
        return is_remainder(self._reader, path, content.chunks(item))

    def _is_known(self, path: bytes, record: bytes) -> bool:
        """Tell whether the manifest vouches that a file is as the base state has it."""
        directory, _, name = path.rpartition(b"/")
        row = self._manifest.row(directory)
        if row is None:
            return False
        places = self._known.get(directory)
        if places is None:
            places = self._known[directory] = row.places()
        place = places.get(name)
        known = None if place is None else row.entry(name, place).record
        return known == record and not is_racy(record, row.clock)

    def _is(self, path: bytes, record: bytes, item: Item, content: Content) -> bool:
        """Tell whether a file holds what a state has at its path."""
        if (
            not _is_file(record)
            or not item.fits(record)
            or is_symlink(record) != item.is_symlink
        ):
            return False
        with phase("read"):
            return digest_of(self._reader, path, record) == content.digest(item)


def _is_file(record: bytes) -> bool:
    mode = mode_of(record)
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def _when(step: Step) -> tuple[bool, bytes]:
    """Return what orders steps: files are removed before others are written."""
    return step.item is not None or step.edit is not None, step.path
