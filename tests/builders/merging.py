"""Two states brought together in a working copy, as a merge does it."""

from collections.abc import Callable
from pathlib import Path

from oxy.actions.arriving import arrive
from oxy.actions.naming import resolve
from oxy.repo.sides import Sides
from oxy.repo.writing import Stamp
from oxy.worktree.workcopy import working_copy
from tests.builders.desk import Desk

STAMP = Stamp(1, 0, b"ann", b"merge topic")


def merge(root: Path, name: bytes) -> None:
    """Bring what a name holds into the working copy and its bookmark."""
    with working_copy(bytes(root)) as copy:
        copy.look()
        ours, theirs = copy.base.state, resolve(copy.repository, name).state
        union = copy.repository.states.join((ours, theirs))
        arrive(copy, STAMP, union, b"main", Sides(ours, theirs))


def fork(
    desk: Desk, theirs: Callable[[], object], ours: Callable[[], object]
) -> tuple[str, str]:
    """Merge two changes of what is there; return the ids of ours and theirs."""
    desk.says("switch", "-c", "topic")
    theirs()
    right = desk.commit("Theirs")
    desk.says("switch", "main")
    ours()
    left = desk.commit("Ours")
    merge(desk.root, b"topic")
    return left, right
