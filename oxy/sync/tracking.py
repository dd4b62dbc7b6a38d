"""What a bookmark becomes when another repository's comes (spec: states, S14; sync, SY12).

The name NAME@REMOTE holds what the bookmark was when the remote was last asked. What one's own
bookmark last took of it stands beside it, where that is another state: what the remote takes
back between two pulls that did not merge is so still known to the next that does.
"""

from oxy.typed import Final, NamedTuple

import msgpack
from pyroaring import BitMap

from oxy.repo.refs import REMOTE, Ref, Target
from oxy.repo.states import Name, States
from oxy.store.protocol import CHANGE, Reader

TAKEN: Final = b"oxy.taken"
"""The field of a remote bookmark that tells, by ids, what the local one took of it last."""


class Pulled(NamedTuple):
    """What a bookmark becomes: its state, and what comes, goes, and stays though taken back."""

    state: Name
    came: BitMap
    gone: BitMap
    stays: BitMap


def pulled(states: States, local: Name, tracked: Name, remote: Name) -> Pulled:
    """Return `(local - (tracked - remote)) | remote`, but for what local changes depend on.

    Cost: what only one side has; where something goes, a row for each member of the result.
    """
    own, seen, theirs = (states.members(name) for name in (local, tracked, remote))
    back = (seen - theirs) & own
    stays = _depended_on(states, own - back - theirs, back)
    gone = back - stays
    came = theirs - own
    if not gone:
        return Pulled(states.join((local, remote)), came, gone, stays)
    return Pulled(states.name_of((own - gone) | theirs), came, gone, stays)


def _depended_on(states: States, changes: BitMap, among: BitMap) -> BitMap:
    """Return which of some changes others depend on."""
    found = BitMap()
    if not among:
        return found
    work = list(changes)
    while work:
        for dep in states.link(work.pop()).deps:
            if dep in among and dep not in found:
                found.add(dep)
                work.append(dep)
    return found


def remote_ref(name: bytes, remote: bytes) -> Ref:
    """Return the name under which a remote's bookmark is kept."""
    return Ref(REMOTE, name + b"@" + remote)


def tracking(reader: Reader, state: Name, taken: Name | None) -> Target:
    """Return what a remote bookmark holds; `taken` is None where that is nothing else."""
    if taken is None or taken == state:
        return Target(state)
    packed: bytes = msgpack.packb([list(reader.ids_of(CHANGE, part)) for part in taken])
    return Target(state, ((TAKEN, packed),))


def taken_of(reader: Reader, target: Target | None) -> Name:
    """Return what the local bookmark took last of a remote one."""
    if target is None:
        return Name()
    packed = dict(target.extra).get(TAKEN)
    if packed is None:
        return target.state
    numbers = (
        [reader.number_of(CHANGE, name) for name in part]
        for part in msgpack.unpackb(packed, use_list=False)
    )
    heads, absent = (tuple(sorted(number for number in part if number)) for part in numbers)
    return Name(heads, absent)
