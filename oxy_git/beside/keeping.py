"""Both sides of a shared directory are brought into step (spec: git-bridge, GB60 to GB64).

First oxy's side follows git's, then git's follows oxy's. Whatever ends this in between, the
next time goes on: what both sides held is noted last.
"""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

from oxy.errors import StateError
from oxy.progress import Progress
from oxy.repo.place import CONTROL
from oxy.repo.refs import HERE, Target, pack_target
from oxy.repo.writing import Stamp
from oxy.worktree.workcopy import working_copy
from oxy_git.beside import glance
from oxy_git.beside.checkout import Checkout, Held, MovedMeanwhileError
from oxy_git.beside.giving import Given, give
from oxy_git.beside.glance import DIRECTORY, GitDirectory
from oxy_git.beside.step import NOTHING, Agreed, Step, Taken, load, save

NOTE: Final = b"/companion"
"""The file in `.oxy` that says that there is a Git side."""

TRIES: Final = 4
"""So often what git moves at the same time is read again."""

_LOCK: Final = DIRECTORY + b"/lock"


class NoCheckoutError(StateError):
    """The directory has no Git repository of its own."""

    def __init__(self, root: bytes) -> None:
        super().__init__(f"there is no Git repository at {os.fsdecode(root)}")
        self.root = root


class UnderWayError(StateError):
    """Git is in the middle of something, which is left alone."""

    def __init__(self, root: bytes, what: str) -> None:
        super().__init__(f"git is in the middle of {what} in {os.fsdecode(root)}")
        self.root = root
        self.what = what


class Kept(NamedTuple):
    """What is to be told, and how many commits came in."""

    said: list[tuple[str | bytes, ...]]
    commits: int = 0


def note(root: bytes) -> None:
    """Note that a repository is kept in step with that of Git in the same directory."""
    with open(os.path.join(root, CONTROL) + NOTE, "wb") as file:
        file.write(b"git\n")


def is_noted(root: bytes) -> bool:
    """Return whether that is noted."""
    return os.path.exists(os.path.join(root, CONTROL) + NOTE)


def end(root: bytes) -> None:
    """Forget it; both sides stay as they are."""
    control = os.path.join(root, CONTROL)
    for name in (NOTE, DIRECTORY + b"/seen", DIRECTORY + b"/step"):
        if os.path.exists(control + name):
            os.unlink(control + name)


def keep(root: bytes, stamp: Callable[[], Stamp], progress: Progress) -> Kept:
    """Bring both sides of a directory into step.

    Cost: a look at files where nothing moved; else some git processes, and what is new.

    Raises:
        NoCheckoutError: Git's side is gone.
        UnderWayError: git waits for the user to end something.
        MovedMeanwhileError: git moves refs all the time.
        GitError, NoGitRepositoryError, NoGitError: git cannot be asked, or refused.
        SwitchInterruptedError: the files are in between two states.
        StoreLockedError: another process is writing.
    """
    control = os.path.join(root, CONTROL)
    place = glance.git_directory(root)
    if place is None:
        raise NoCheckoutError(root)
    with _locked(control):
        if glance.is_as_seen(place, control):
            return Kept([])
        what = glance.under_way(place)
        if what is not None:
            raise UnderWayError(root, what)
        for _ in range(TRIES - 1):
            with suppress(MovedMeanwhileError):
                return _kept(root, control, place, stamp, progress)
        return _kept(root, control, place, stamp, progress)


def _kept(
    root: bytes,
    control: bytes,
    place: GitDirectory,
    stamp: Callable[[], Stamp],
    progress: Progress,
) -> Kept:
    checkout = Checkout(root, control, place)
    step = load(control)
    looked = glance.git_side(place)
    theirs = checkout.refs()
    head = checkout.head(theirs)
    with working_copy(root) as copy:
        taken = Taken(dict(step.refs), [])
        if _oids(theirs) != _oids(step.refs) or head != step.head:
            from oxy_git.beside.taking import take

            taken = take(copy, checkout, step, (theirs, head), stamp, progress)
        repository = copy.repository
        if repository.refs.get(HERE) is None:
            # All was undone, the first import too: that is nothing for Git to follow.
            return Kept(taken.said, taken.commits)
        # What others record from now on is of the next time.
        recorded = glance.oxy_side(control)
        why = b"oxy"
        given = give(repository, checkout, (theirs, head), taken.refs, why, progress)
        here = pack_target(repository.refs.get(HERE) or Target(NOTHING))
    told = tuple(sorted(given.behind))
    save(control, Step(given.refs, given.head, here, told))
    if _oids(theirs) != _oids(given.refs) or head != given.head:
        looked = glance.git_side(place)
        recorded = recorded if _is_so(checkout, given) else b""
    glance.remember(control, recorded, looked)
    behind = [given.behind[key] for key in told if key not in step.told]
    return Kept([*taken.said, *behind], taken.commits)


def _is_so(checkout: Checkout, given: Given) -> bool:
    """Return whether Git's side still is what was made of it."""
    return _oids(checkout.refs()) == _oids(given.refs)


def _oids(refs: Mapping[bytes, Held | Agreed]) -> dict[bytes, bytes]:
    return {full: held.oid for full, held in refs.items()}


@contextmanager
def _locked(control: bytes) -> Iterator[None]:
    """Let one process at a time do this."""
    os.makedirs(control + DIRECTORY, exist_ok=True)
    with open(control + _LOCK, "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
