"""Go to another set of changes, or only ask, and tell what that does (spec: states)."""

from oxy.typed import NamedTuple

from oxy.actions.arriving import arrive
from oxy.actions.clock import now
from oxy.actions.going import Went, in_the_way
from oxy.actions.identity import operator
from oxy.actions.outcome import Outcome, outcome
from oxy.repo.sides import Sides
from oxy.repo.states import Name
from oxy.repo.writing import Stamp
from oxy.worktree.workcopy import WorkingCopy


class Joined(NamedTuple):
    """The bookmark that moved if any, what that did, and the files; None if only asked.

    `in_the_way` are the files because of which nothing would be done, where it was only asked.
    """

    bookmark: bytes | None
    outcome: Outcome
    went: Went | None
    in_the_way: tuple[bytes, ...] = ()


def asked(copy: WorkingCopy, bookmark: bytes | None, after: Name) -> Joined:
    """Return what going to a state with a bookmark would do."""
    found = outcome(copy.repository, copy.base.state, after)
    return Joined(bookmark, found, None, in_the_way(copy, after))


def join(
    copy: WorkingCopy, command: bytes, after: Name, sides: Sides | None, *, dry_run: bool
) -> Joined:
    """Go to a state with the bookmark that one is on, and tell what that did.

    Args:
        copy: the working copy; `look` has been called before anything was worked out.
        command: for the operation log.
        after: the state.
        sides: one's own state and the one that came, where two came together.
        dry_run: only tell.

    Raises:
        WouldOverwriteError: files are in the way; nothing was done.
        MovedMeanwhileError, MovedError: another process was faster.
    """
    base = copy.base
    if dry_run:
        return asked(copy, base.bookmark, after)
    found = outcome(copy.repository, base.state, after)
    if after == base.state:
        return Joined(base.bookmark, found, None)
    stamp = Stamp(*now(), operator(), command)
    went = arrive(copy, stamp, after, base.bookmark or b"@", sides)
    return Joined(base.bookmark, found, went)
