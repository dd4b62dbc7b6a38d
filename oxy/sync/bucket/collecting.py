"""Drop what no name of a bucket reaches, and make one of many small loads (spec: SY25, SY95).

First comes an entry of the log, with an index anew: from then on nobody reads what it left out.
Later, when no state names it that was current within the grace, it is deleted. That takes no
repository.
"""

from collections.abc import Iterator, Sequence
from oxy.typed import Final, NamedTuple

from oxy.errors import StateError
from oxy.model.digest import ChangeId
from oxy.progress import Progress
from oxy.sync.bucket.index import Load
from oxy.sync.bucket.joining import groups, joined
from oxy.sync.bucket.kept import Kept
from oxy.sync.bucket.log import Doing, Log, Read
from oxy.sync.bucket.objects import Objects
from oxy.sync.bucket.sweeping import Swept, sweep
from oxy.sync.bucket.uploading import listed
from oxy.sync.bucket.walking import Walk, all_loads
from oxy.sync.endpoint import Offered
from oxy.sync.errors import RefusedTransferError

_TRIES: Final = 8


class PushedMeanwhileError(StateError):
    """Others pushed each time when all was ready; nothing was dropped."""

    def __init__(self) -> None:
        super().__init__(f"others pushed to the bucket meanwhile, {_TRIES} times")


class Collected(NamedTuple):
    """What became of a bucket.

    Attributes:
        dropped: changes that no name reaches, and that nobody finds there any more.
        joined: loads that were made part of larger ones.
        swept: objects that were deleted, and how many bytes they had.
    """

    dropped: int
    joined: int
    swept: Swept


class _Plan(NamedTuple):
    dropped: int
    groups: list[list[Load]]

    @property
    def joined(self) -> int:
        return sum(len(group) for group in self.groups if len(group) > 1)


def collect(
    objects: Objects, grace: float, progress: Progress, *, dry_run: bool = False
) -> Collected:
    """Collect in a bucket.

    Args:
        objects: the bucket.
        grace: seconds for which stays what no state names any more.
        progress: told of each load that is made part of another, and each object deleted.
        dry_run: only tell.

    Cost: the whole index, what is joined, and a list of all objects. Memory: the index.

    Raises:
        PushedMeanwhileError: others were faster.
        RefusedTransferError: something that is named is missing; nothing is dropped.
    """
    kept = Kept(objects)
    log = Log(objects, kept)
    for _ in range(_TRIES):
        on = log.newest()
        if not on.number:
            return Collected(0, 0, Swept(0, 0))
        plan = _plan(kept, on)
        is_done = dry_run or not (plan.dropped or plan.joined)
        if is_done or _written(kept, log, on, plan, progress):
            swept = sweep(objects, log, kept, grace, progress, dry_run=dry_run)
            return Collected(plan.dropped, plan.joined, swept)
    raise PushedMeanwhileError


def _plan(kept: Kept, on: Read) -> _Plan:
    """Find out what is dropped, and what is joined."""
    walk = Walk(kept, _named(on.state.names), lambda _: ())
    needed = {load.key for load in walk.loads(on.state.rows)}
    if walk.sought:
        rule = f"change {min(walk.sought).hex()} is named and not there"
        raise RefusedTransferError(rule)
    stays: list[Load] = []
    gone = 0
    for load in all_loads(kept, on.state.rows):
        if load.key in needed:
            stays.append(load)
        else:
            # One without a change has blobs, or signatures, of one.
            gone += len(load.changes) or 1
    return _Plan(gone, list(groups(stays)))


def _named(names: Sequence[Offered]) -> list[ChangeId]:
    return [change for each in names for change in (*each.heads, *each.absent)]


def _written(kept: Kept, log: Log, on: Read, plan: _Plan, progress: Progress) -> bool:
    """Write the entry from which on only what stays is found; False if others were faster."""

    def loads() -> Iterator[Load]:
        done = 0
        for group in plan.groups:
            done += len(group)
            yield joined(kept, group)
            progress.update(done, None, "objects gathered")

    doing = Doing((), whole=listed(kept, loads()))
    return log.append(on, doing) is not None
