"""The working copy after an import: a fresh one goes to where HEAD is (spec: GB20, GB22)."""

from __future__ import annotations

from oxy.actions.going import Went, go, stay
from oxy.repo.operations import Move
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.states import Name
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.repo.repository import Repository
    from oxy.repo.writing import Stamp

NOTHING = Name()


def arrive(root: bytes, here: Target, stamp: Stamp, *, checkout: bool) -> Went | None:
    """Make a working copy that was made from nothing yet that of a state.

    Args:
        root: the repository.
        here: the state, and the bookmark to stand on.
        stamp: when and by which command.
        checkout: whether to write the files; else the working copy stays that of nothing.

    Returns:
        What was written; None where the working copy was left alone.

    Raises:
        WouldOverwriteError: files are in the way; nothing was written.
    """
    with working_copy(root) as copy:
        repository = copy.repository
        before = repository.refs.get(HERE)
        if before is not None and before.state != NOTHING:
            return None
        goal = here if checkout else Target(NOTHING)
        moves = [Move(HERE, before, goal), *_bookmarks(repository, before, here)]
        if not checkout:
            stay(copy, stamp, moves)
            return None
        return go(copy, stamp, moves, here.bookmark or b"")


def _bookmarks(repository: Repository, before: Target | None, here: Target) -> list[Move]:
    """Return the moves that drop a bookmark of nothing, and make one for an empty history."""
    moves = []
    for name in {before.bookmark if before else None, here.bookmark} - {None}:
        ref = Ref(BOOKMARK, name or b"")
        held = repository.refs.get(ref)
        if name == here.bookmark and held is None:
            moves.append(Move(ref, None, Target(NOTHING)))
        elif name != here.bookmark and held is not None and held.state == NOTHING:
            moves.append(Move(ref, held, None))
    return moves
