"""Write files that are local edits, or none any more, and move no name (spec: W38 to W40)."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from oxy.typed import NamedTuple

from oxy.actions.clock import now
from oxy.actions.going import require_unmoved
from oxy.actions.identity import operator
from oxy.repo.writing import Stamp, writing
from oxy.worktree.carrying import Carried
from oxy.worktree.checkout import Plan, WouldOverwriteError
from oxy.worktree.hunks import Rest
from oxy.worktree.item import Item
from oxy.worktree.placing import carry_out
from oxy.worktree.snapshot import Snapshot
from oxy.worktree.travel import Step
from oxy.worktree.workcopy import WorkingCopy
from oxy.worktree.writer import TreeWriter


class _Goal(NamedTuple):
    item: Item | None
    edit: Carried | None = None


def steps_of(rests: Iterable[Rest]) -> list[Step]:
    """Return what is to be written and removed, removals first."""
    there: dict[bytes, bytes] = {}
    goals: dict[bytes, _Goal] = {}
    for change, path, local in rests:
        if change.record is not None:
            there[change.path] = change.record
        if local is not None:
            edit = Carried(local.kind, local.mode, local.digest, local.data)
            is_there = change.source in (None, path)
            goals[path] = _Goal(change.item if is_there else None, edit)
        elif change.item is not None:
            goals[path] = _Goal(change.item)
    gone = there.keys() - goals.keys()
    steps = [Step(path, None, there[path]) for path in sorted(gone)]
    steps += (
        Step(path, goal.item, there.get(path), goal.edit)
        for path, goal in sorted(goals.items())
    )
    return steps


@contextmanager
def alone(copy: WorkingCopy) -> Iterator[None]:
    """Keep others from moving the working copy while files are written.

    Raises:
        MovedMeanwhileError: another process moved it.
        StoreLockedError: another process is writing and did not end in time.
    """
    with writing(copy.repository, Stamp(*now(), operator(), b"")) as work:
        require_unmoved(work.repository, copy.base, ())
        yield


def tidy(copy: WorkingCopy, snapshot: Snapshot) -> tuple[bytes, ...]:
    """Remove what interrupted commands left, and return their paths."""
    paths = tuple(odd.path for odd in snapshot.oddities if odd.kind == "leftover")
    if paths:
        writer = TreeWriter(copy.fd)
        try:
            with alone(copy):
                for path in paths:
                    writer.remove_leftover(path)
        finally:
            writer.close()
    return paths


def place(copy: WorkingCopy, steps: Sequence[Step]) -> None:
    """Make files what they are to be, of the base state where no edit is given.

    What is as the base state has it then is known to be so.

    Raises:
        ChangedError: a file was written since it was looked at; it is left as it is.
        InTheWayError, UnwritableError: a file cannot be written.
        MovedMeanwhileError: another process moved the working copy; nothing was written.
    """
    clock = copy.clock()
    with alone(copy):
        known = carry_out(copy.fd, Plan(tuple(steps), (), ()), copy.content, copy.progress)
    base = {path for path in known if _is_held(copy, path)}
    copy.moved(copy.target, {path: known[path] for path in base}, clock)


def _is_held(copy: WorkingCopy, path: bytes) -> bool:
    directory, _, name = path.rpartition(b"/")
    return name in copy.manifest.names(directory).split(b"\0")


def refuse_blocked(copy: WorkingCopy, steps: Sequence[Step]) -> None:
    """Refuse to write where something else stands.

    Raises:
        WouldOverwriteError: it does.
    """
    gone = {step.path for step in steps if step.item is None and step.edit is None}
    blocked = [path for step in steps for path in _in_the_way(copy, step, gone)]
    if blocked:
        raise WouldOverwriteError(list(dict.fromkeys(blocked)))


def _in_the_way(copy: WorkingCopy, step: Step, gone: set[bytes]) -> Iterator[bytes]:
    """Yield what stands at a path, or where a directory above it is to be."""
    if step.over is None and os.path.lexists(os.path.join(copy.root, step.path)):
        found = os.path.join(copy.root, step.path)
        if (
            not os.path.isdir(found)
            or os.path.islink(found)
            or _holds_others(found, gone, copy)
        ):
            yield step.path
    above = step.path
    while step.path not in gone and (above := above.rpartition(b"/")[0]):
        mode = _mode(os.path.join(copy.root, above))
        if mode is not None and not stat.S_ISDIR(mode) and above not in gone:
            yield above


def _holds_others(directory: bytes, gone: set[bytes], copy: WorkingCopy) -> bool:
    """Tell whether a directory holds a file that is not removed."""
    for where, _, names in os.walk(directory):
        start = os.path.relpath(where, copy.root)
        if any(os.path.join(start, name) not in gone for name in names):
            return True
    return False


def _mode(path: bytes) -> int | None:
    try:
        return os.lstat(path).st_mode
    except OSError:
        return None
