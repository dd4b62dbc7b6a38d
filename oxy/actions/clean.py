"""Remove files that nobody tracks (spec: working-copy, W39)."""

from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.actions.placing import tidy
from oxy.actions.status import examined
from oxy.worktree.hunks import Rest
from oxy.worktree.listing import LEFT_ALONE, RECORD
from oxy.worktree.snapshot import ADDED, Changed, Snapshot
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.tracked import TrackedPaths
from oxy.worktree.tracking import Noted
from oxy.worktree.walk import Rules, walk
from oxy.worktree.workcopy import WorkingCopy


class Cleaned(NamedTuple):
    """The files that were removed, or would be; what an interrupted command left apart."""

    changes: tuple[Changed, ...]
    leftovers: tuple[bytes, ...]


def clean(
    copy: WorkingCopy,
    paths: Sequence[bytes] = (),
    *,
    ignored: bool = False,
    dry_run: bool = False,
) -> Cleaned:
    """Remove new files; `undo` brings them back.

    What an interrupted command left goes as well, and does not come back.

    Args:
        copy: the working copy.
        paths: where to look; none is everywhere.
        ignored: also what is ignored, and what was said to be untracked.
        dry_run: only tell.

    Cost: the files are recorded.

    Raises:
        NoSuchPathError: a path is nowhere.
        SwitchInterruptedError: the files are in between two states.
        ChangedError, MovedError, OvertakenError: as for a commit; nothing is removed.
    """
    copy.look()
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    found = examined(copy, paths, tells=ignored)
    changes = [change for change in found.changes if change.kind == ADDED]
    changes += found.large
    if ignored:
        alone = [odd.path.rstrip(b"/") for odd in found.oddities if odd.kind in LEFT_ALONE]
        changes += _below(copy, alone)
    changes = sorted({change.path: change for change in changes}.values())
    leftovers = tuple(odd.path for odd in found.oddities if odd.kind == "leftover")
    if not dry_run:
        _remove(copy, found, changes)
    return Cleaned(tuple(changes), leftovers)


def _below(copy: WorkingCopy, paths: Sequence[bytes]) -> Iterator[Changed]:
    """Yield the files at and below paths, unless the base state has them."""
    if not paths:
        return
    rules = Rules(Noted(dict.fromkeys(paths, True)))
    for listing in walk(copy.fd, TrackedPaths(()), paths, rules=rules):
        known = set(copy.manifest.names(listing.path).split(b"\0"))
        start = listing.path + b"/" if listing.path else b""
        for at, name in enumerate(listing.names):
            record = listing.stats[at * RECORD.size : (at + 1) * RECORD.size]
            if name not in known:
                yield Changed(start + name, ADDED, None, record)


def _remove(copy: WorkingCopy, found: Snapshot, changes: list[Changed]) -> None:
    if changes:
        from oxy.actions.throwing import throw_away

        thrown = found._replace(changes=tuple(changes))
        rests = [Rest(change, change.path, None) for change in changes]
        throw_away(copy, thrown, rests, b"clean")
    tidy(copy, found)
