"""Many small loads made one, so that a clone takes few requests (spec: sync, SY95)."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from oxy.typed import Final

from oxy.sync import limits
from oxy.sync.bucket.index import Load, Stored
from oxy.sync.bucket.kept import Kept
from oxy.sync.frames import Unframer, framed
from oxy.sync.part import Part

_SMALL: Final = limits.PARCEL // 2
"""Bytes from which on a load stays as it is."""


def groups(loads: Iterable[Load]) -> Iterator[list[Load]]:
    """Yield loads in their order, together those that are small enough to be one."""
    gathered: list[Load] = []
    size = 0
    for load in loads:
        if load.size >= _SMALL:
            if gathered:
                yield gathered
                gathered, size = [], 0
            yield [load]
            continue
        gathered.append(load)
        size += load.size
        if size >= limits.PARCEL:
            yield gathered
            gathered, size = [], 0
    if gathered:
        yield gathered


def joined(kept: Kept, group: Sequence[Load]) -> Load:
    """Write some loads as one, and return it; a single one stays."""
    if len(group) == 1:
        return group[0]
    changes = tuple(dict.fromkeys(change for load in group for change in load.changes))
    within = set(changes)
    named = {each for load in group for each in load.needs}
    after = {each for load in group for each in load.next}
    signs = {each for load in group for each in load.signs}
    tips = {each for load in group for each in load.tips}
    return Load(
        *kept.keep(framed(_parts(kept, group))),
        changes,
        tuple(sorted(after - within)),
        tuple(sorted(signs - within)),
        tuple(sorted(tips - named)),
        tuple(sorted(named - within)),
    )


def _parts(kept: Kept, group: Iterable[Load]) -> Iterator[Part]:
    for load in group:
        with closing(kept.opened(Stored(load.key, load.size))) as file:
            yield from Unframer(file.read).parts()
