"""How repositories in the working copy stand to the pins of its state (spec: W50, W52)."""

import os
from oxy.typed import Final, NamedTuple

from oxy.actions.pins import is_inside, is_repository, pin_in, state_of
from oxy.errors import CorruptionError, StateError
from oxy.model.operation import KIND_SUBREPO
from oxy.repo.tree import get
from oxy.repo.trees import tree_of
from oxy.worktree.listing import Oddity
from oxy.worktree.workcopy import WorkingCopy, working_copy

MISSING: Final = "missing"
FOREIGN: Final = "foreign"
UNKNOWN: Final = "unknown"
PINNED: Final = "pinned"
MOVED: Final = "moved"
"""How a subrepo on disk stands to its pin: it is not there; no repository of oxy, or the pin is
of another system; it does not have the pinned state; it is at it; it is at another."""


_TOLD: Final = {
    MISSING: "missing",
    FOREIGN: "not a repository of oxy",
    UNKNOWN: "without the pinned state",
    PINNED: "as pinned",
    MOVED: "moved",
}


class Subrepo(NamedTuple):
    """A subrepo: its path, its pin, how it stands to it, and its local edits.

    `ahead` and `behind` count the changes that only it has, and that only the pinned state has.
    """

    path: bytes
    pin: bytes
    stands: str
    ahead: int = 0
    behind: int = 0
    edits: int = 0


def examine(root: bytes, path: bytes, pin: bytes) -> Subrepo:
    """Return how what is at a path stands to a pin. Cost: a status of it."""
    if not os.path.lexists(os.path.join(root, path)):
        return Subrepo(path, pin, MISSING)
    if not is_repository(root, path):
        is_empty = is_inside(root, path) and not os.listdir(os.path.join(root, path))
        return Subrepo(path, pin, MISSING if is_empty else FOREIGN)
    try:
        return _examined(root, path, pin)
    except (StateError, CorruptionError, OSError):
        return Subrepo(path, pin, FOREIGN)


def _examined(root: bytes, path: bytes, pin: bytes) -> Subrepo:
    with working_copy(os.path.join(root, path)) as inner:
        edits = len(inner.snapshot().changes)
        wanted = state_of(inner.repository, pin)
        if wanted is None:
            return Subrepo(path, pin, UNKNOWN, edits=edits)
        members = inner.repository.states.members
        own, theirs = members(inner.target.state), members(wanted)
        stands = PINNED if own == theirs else MOVED
        return Subrepo(path, pin, stands, len(own - theirs), len(theirs - own), edits)


def told(subrepo: Subrepo) -> str:
    """Return in words how a subrepo stands to its pin, and its edits."""
    if subrepo.stands == FOREIGN and subrepo.pin.startswith(b"git:"):
        return "pinned to a Git commit"
    counts = [(subrepo.ahead, "ahead"), (subrepo.behind, "behind")]
    parts = [_TOLD[subrepo.stands], *(f"{count} {way}" for count, way in counts if count)]
    if subrepo.edits:
        files = "1 file differs" if subrepo.edits == 1 else f"{subrepo.edits} files differ"
        parts.append(files)
    return ", ".join(parts)


def noted(copy: WorkingCopy, oddities: tuple[Oddity, ...]) -> tuple[Oddity, ...]:
    """Return what is left out of a snapshot, with what is said of nested repositories.

    A subrepo that is as pinned is not told of, and what could be one is offered.
    """
    root = tree_of(copy.repository, copy.base.state)
    found = []
    for each in oddities:
        entry = get(root, each.path) if each.kind == "nested" else None
        if entry is not None and entry.kind == KIND_SUBREPO:
            pin = pin_in(copy.repository, entry, copy.base.state)
            seen = examine(copy.root, each.path, pin)
            if seen.stands != PINNED or seen.edits:
                found.append(Oddity(each.path, "subrepo", f"is a subrepo: {told(seen)}"))
        elif each.kind == "nested" and is_repository(copy.root, each.path):
            found.append(each._replace(reason=f"{each.reason}: `oxy subrepo add` pins it"))
        else:
            found.append(each)
    return tuple(found)
