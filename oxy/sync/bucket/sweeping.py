"""Delete what no state of a bucket has named for a while (spec: sync, SY25, SY96).

A state counts as long as it was current within the grace, for who read it then may be on its
way; and what was written within the grace counts, for it may be of a push that is not done. All
times are the store's own, and so is the present: that of an object that was just written.
"""

from oxy.typed import Final, NamedTuple

from oxy.progress import Progress
from oxy.sync import limits
from oxy.sync.bucket.entry import Entry
from oxy.sync.bucket.index import Row
from oxy.sync.bucket.kept import Kept
from oxy.sync.bucket.log import HINT, LOG, Log, hint, number_in
from oxy.sync.bucket.objects import Listed, Objects
from oxy.sync.published import file_of

_ALL: Final = "oxy"


class Swept(NamedTuple):
    """How many objects were deleted, and their bytes."""

    objects: int
    size: int


def sweep(
    objects: Objects, log: Log, kept: Kept, grace: float, progress: Progress, *, dry_run: bool
) -> Swept:
    """Delete what no state names that was current within a grace, and what was cut.

    Cost: the index of those states, and a list of all objects.
    """
    times = {number_in(each.name): each.written for each in objects.names(LOG)}
    newest = max(times, default=0)
    if not newest:
        return Swept(0, 0)
    objects.replace(HINT, hint(newest))
    now = objects.written(HINT) or 0.0
    latest = now - grace
    # Who is slow to write an entry must find that its number is taken, however short the grace.
    logged = now - max(grace, limits.GRACE)
    marked = _Marked(kept)
    oldest = marked.mark(log, newest, times, latest)
    done, size = 0, 0
    for each in objects.names(_ALL):
        is_old = each.written < (logged if each.name.startswith(LOG) else latest)
        if is_old and _is_loose(each, marked.names, oldest):
            done += 1
            size += each.size
            if not dry_run:
                objects.delete(each.name)
                progress.update(done, None, "objects deleted")
    return Swept(done, size)


def _is_loose(each: Listed, named: set[str], oldest: int) -> bool:
    if each.name.startswith(LOG + "/"):
        # What is no entry there is what somebody was killed at writing.
        return number_in(each.name) < oldest
    return each.name != HINT and each.name not in named


class _Marked:
    """The names of objects that states name."""

    __slots__ = ("_kept", "names")

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self.names: set[str] = set()

    def mark(self, log: Log, newest: int, times: dict[int, float], latest: float) -> int:
        """Mark what states name that were current after a time; return the oldest's number.

        An entry has all that came since its base, so of those with one base the last is enough.
        """
        number = newest
        while (entry := log.entry(number)) is not None:
            self._entry(log, entry)
            if entry.base is None or times.get(entry.base.number + 1, 0.0) < latest:
                return 1 if entry.base is None else entry.base.number + 1
            number = entry.base.number
        return number

    def _entry(self, log: Log, entry: Entry) -> None:
        rows = entry.rows
        if entry.base is not None:
            self.names.add(file_of(entry.base.snapshot.key))
            rows += log.snapshot(entry.base).rows
        for row in rows:
            self._row(row)

    def _row(self, row: Row) -> None:
        name = file_of(row.key)
        if name in self.names:
            return
        self.names.add(name)
        if row.level:
            for each in self._kept.branch(row):
                self._row(each)
        else:
            self.names.update(file_of(load.key) for load in self._kept.leaf(row))
