"""Two states brought together in a working copy, as a merge does it."""

from pathlib import Path

from oxy.actions.arriving import arrive
from oxy.actions.naming import resolve
from oxy.repo.sides import Sides
from oxy.repo.writing import Stamp
from oxy.worktree.workcopy import working_copy

STAMP = Stamp(1, 0, b"ann", b"merge topic")


def merge(root: Path, name: bytes) -> None:
    """Bring what a name holds into the working copy and its bookmark."""
    with working_copy(bytes(root)) as copy:
        copy.look()
        ours, theirs = copy.base.state, resolve(copy.repository, name).state
        union = copy.repository.states.join((ours, theirs))
        arrive(copy, STAMP, union, b"main", Sides(ours, theirs))
