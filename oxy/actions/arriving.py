"""Make the working copy that of another set of changes, its bookmark with it (spec: states).

What merging, picking, unrecording, pulling and rewriting end in.
"""

from collections.abc import Sequence

from oxy.actions.going import Went, go
from oxy.repo.operations import Move
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.sides import Sides, pack_sides
from oxy.repo.states import Name
from oxy.repo.writing import Stamp
from oxy.worktree.workcopy import WorkingCopy


def arrive(
    copy: WorkingCopy,
    stamp: Stamp,
    after: Name,
    words: bytes,
    sides: Sides | None = None,
    also: Sequence[Move] = (),
) -> Went:
    """Move the working copy and the bookmark that it is on to a state, with the files.

    Args:
        copy: the working copy; `look` has been called before anything was worked out.
        stamp: when and by which command.
        after: the state.
        words: what the user would write behind `oxy switch` to go there.
        sides: one's own state and the one that came, where two came together; else what is
            known of an earlier merge stays known.
        also: other names that move with it.

    Raises:
        WouldOverwriteError, RefusedPathError: nothing was written.
        ChangedError, InTheWayError, UnwritableError: see `go`.
        MovedMeanwhileError, MovedError: another process was faster.
    """
    moves = moves_to(copy, after, sides)
    return go(copy, stamp, [*moves, *also], words)


def moves_to(copy: WorkingCopy, after: Name, sides: Sides | None = None) -> list[Move]:
    """Return how the working copy and the bookmark that it is on move to a state.

    See `arrive` for the arguments. The bookmark is to hold what the files were made from still.
    """
    repository, base = copy.repository, copy.base
    if sides is not None:
        extra = pack_sides(repository.store, sides)
    else:
        held = repository.refs.get(HERE)
        extra = held.extra if held else ()
    moves = [Move(HERE, base, Target(after, extra, base.bookmark))]
    if base.bookmark is not None:
        ref = Ref(BOOKMARK, base.bookmark)
        held = repository.refs.get(ref)
        known = held.extra if held else ()
        moves.append(Move(ref, Target(base.state) if held else None, Target(after, known)))
    return moves
