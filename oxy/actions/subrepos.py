"""Subrepos: repositories in the working copy that changes pin (spec: working-copy, W50 to W55).

Each is a repository of its own, with its own log and undo. A change of the one around it pins a
state. Nothing in a repository says where to fetch another from: only the user does, and the
place that a clone was made from.
"""

import os
from collections.abc import Sequence
from oxy.typed import NamedTuple

from oxy.actions.clock import now
from oxy.actions.clone import HalfClonedError, clone
from oxy.actions.going import Went, go
from oxy.actions.identity import identity, operator
from oxy.actions.nested import FOREIGN, MISSING, PINNED, Subrepo, examine
from oxy.actions.pinning import record_pins, record_place
from oxy.actions.pins import Pinned, is_inside, is_repository, pin_in, pin_of, pins, state_of
from oxy.actions.pull import Request, pull
from oxy.actions.remotes import remotes
from oxy.errors import OxyError, RequestError, StateError
from oxy.model.operation import KIND_SUBREPO
from oxy.model.pathrule import path_refusal
from oxy.progress import Progress
from oxy.repo.operations import Move
from oxy.repo.recording import Intent
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import differences, get, subtree
from oxy.repo.trees import tree_of
from oxy.repo.writing import Stamp
from oxy.sync.address import below, is_far
from oxy.worktree.workcopy import WorkingCopy, working_copy
from oxy.worktree.writer import TreeWriter


class NoSubrepoError(RequestError):
    """No subrepo is recorded at a path."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"no subrepo is recorded at '{os.fsdecode(path)}'")
        self.path = path


class NotNestedError(RequestError):
    """There is no repository of oxy that could be pinned at a path."""

    def __init__(self, path: bytes, why: str) -> None:
        super().__init__(f"'{os.fsdecode(path)}' cannot be a subrepo: {why}")
        self.path = path
        self.why = why


class NoSourceError(RequestError):
    """A subrepo is not there, and neither is it where this repository came from."""

    def __init__(self, path: bytes) -> None:
        where = os.fsdecode(path)
        super().__init__(f"nothing here has the pinned state of the subrepo '{where}'")
        self.path = path


class Updated(NamedTuple):
    """A subrepo that was made what its pin says; None if it was already."""

    path: bytes
    went: Went | None


def subrepos(copy: WorkingCopy) -> list[Subrepo]:
    """Return the subrepos of the base state. Cost: its tree, and a status of each."""
    found = pins(copy.repository, copy.base.state)
    return [examine(copy.root, each.path, each.pin) for each in found]


def add(
    copy: WorkingCopy,
    source: bytes | None,
    path: bytes,
    message: bytes | None,
    progress: Progress,
) -> bytes:
    """Record a repository as a subrepo at the state that it is at, as a change of its own.

    Args:
        copy: the working copy around it.
        source: the directory of a repository to clone to the path; None if it is there.
        path: where it is, or is to be.
        message: of the change.
        progress: told of each object of a clone.

    Returns:
        The id of the change.

    Raises:
        NotNestedError: it cannot be one, or is one already.
        NotEmptyError, NoRepositoryError: it cannot be cloned.
        MovedError, OvertakenError: as for a commit; nothing is recorded.
    """
    copy.look()
    _require_free(copy, path)
    if source is not None:
        clone(source, os.path.join(copy.root, path), None, progress)
    pin = _pin_on_disk(copy.root, path)
    why = message or b"Add the subrepo " + path
    return record_pins(copy, {path: pin}, Intent(identity(copy.store), now(), why))


def record(copy: WorkingCopy, paths: Sequence[bytes], message: bytes | None) -> bytes | None:
    """Pin subrepos to the states that they are at, as a change of its own.

    Args:
        copy: the working copy around them.
        paths: which; none is all that are there.
        message: of the change.

    Returns:
        The id of the change; None where all are at their pins.

    Raises:
        NoSubrepoError: there is none at a path that is named.
        NotNestedError: what is there cannot be pinned.
        MovedError, OvertakenError: as for a commit; nothing is recorded.
    """
    copy.look()
    found = {}
    for each in _chosen(copy, paths):
        if paths or is_repository(copy.root, each.path):
            pin = _pin_on_disk(copy.root, each.path)
            if pin != each.pin:
                found[each.path] = pin
    if not found:
        return None
    why = message or b"Move " + b", ".join(found)
    return record_pins(copy, found, Intent(identity(copy.store), now(), why))


def move(copy: WorkingCopy, old: bytes, new: bytes, message: bytes | None) -> bytes:
    """Move a subrepo with its directory, as a change of its own.

    Returns:
        The id of the change.

    Raises:
        NoSubrepoError: there is none.
        NotNestedError: it cannot be at the new path.
        MovedError, OvertakenError: as for a commit; nothing is done.
        UnwritableError: the system refuses.
    """
    copy.look()
    _chosen(copy, [old])
    _require_free(copy, new)
    if not is_inside(copy.root, old) or os.path.lexists(os.path.join(copy.root, new)):
        raise NotNestedError(new, "something is there already")
    why = message or b"Move the subrepo %b to %b" % (old, new)
    intent = Intent(identity(copy.store), now(), why)
    writer = TreeWriter(copy.fd)
    try:
        writer.move(old, new)
        try:
            return record_place(copy, old, new, intent)
        except BaseException:
            writer.move(new, old)
            raise
    finally:
        writer.close()


def remove(copy: WorkingCopy, path: bytes, message: bytes | None) -> bytes:
    """Take a subrepo out, as a change of its own; what is on disk stays.

    Returns:
        The id of the change.

    Raises:
        NoSubrepoError: there is none.
        MovedError, OvertakenError: as for a commit; nothing is recorded.
    """
    copy.look()
    _chosen(copy, [path])
    why = message or b"Remove the subrepo " + path
    return record_pins(copy, {path: None}, Intent(identity(copy.store), now(), why))


def update(copy: WorkingCopy, paths: Sequence[bytes], progress: Progress) -> list[Updated]:
    """Make subrepos what their pins say; local edits in them go along, or nothing is done.

    One that is missing is cloned from its path behind a remote's address; one that lacks the
    pinned state pulls from its own remotes. Pins of another system are left alone.

    Raises:
        NoSubrepoError: there is none at a path that is named.
        NoSourceError: nothing here has the pinned state.
        NotNestedError: something else is at its place.
        WouldOverwriteError: edits in it are in the way.
    """
    sources = [each.address for each in remotes(copy.repository)]
    return [
        _updated(copy.root, each, sources, progress)
        for each in _chosen(copy, paths)
        if each.pin.startswith(b"oxy:")
    ]


def _updated(
    root: bytes, each: Pinned, sources: Sequence[bytes], progress: Progress
) -> Updated:
    seen = examine(root, each.path, each.pin)
    if seen.stands == FOREIGN:
        raise NotNestedError(each.path, "something else is there")
    directory = os.path.join(root, each.path)
    if seen.stands == MISSING:
        if not is_inside(root, each.path):
            raise NoSourceError(each.path)
        _clone(sources, each.path, directory, progress)
    with working_copy(directory) as inner:
        inner.look()
        if state_of(inner.repository, each.pin) is None:
            _fetch(inner, progress)
        wanted = state_of(inner.repository, each.pin)
        if wanted is None:
            raise NoSourceError(each.path)
        went = _go(inner, wanted)
    return Updated(each.path, went or (Went(0, 0) if seen.stands != PINNED else None))


def _clone(sources: Sequence[bytes], path: bytes, directory: bytes, progress: Progress) -> None:
    """Clone a subrepo from behind the first address that has one there, the near ones first."""
    why: OxyError | None = None
    for source in sorted(sources, key=is_far):
        if not is_far(source) and not is_repository(source, path):
            continue
        try:
            clone(below(source, path), directory, None, progress)
        except HalfClonedError:
            raise
        except (RequestError, StateError) as error:
            why = error
        else:
            return
    raise NoSourceError(path) from why


def _fetch(inner: WorkingCopy, progress: Progress) -> None:
    for remote in list(remotes(inner.repository)):
        pull(inner, Request(remote.name, only_fetch=True), progress)


def _go(inner: WorkingCopy, wanted: Name) -> Went | None:
    """Go to the pinned state: on the bookmark that one is on if it holds it, else on none."""
    if inner.base.state == wanted:
        return None
    bookmark = inner.base.bookmark
    held = inner.repository.refs.get(Ref(BOOKMARK, bookmark)) if bookmark else None
    kept = bookmark if held is not None and held.state == wanted else None
    stamp = Stamp(*now(), operator(), b"switch to the pin")
    return go(inner, stamp, [Move(HERE, inner.base, Target(wanted, (), kept))], b"@")


def update_all(copy: WorkingCopy, progress: Progress) -> list[tuple[bytes, str]]:
    """Update all subrepos as `update`; return those that could not be, with why."""
    sources = [each.address for each in remotes(copy.repository)]
    failed = []
    for each in pins(copy.repository, copy.base.state):
        try:
            if each.pin.startswith(b"oxy:"):
                _updated(copy.root, each, sources, progress)
        except (RequestError, StateError) as error:
            failed.append((each.path, str(error)))
    return failed


def follow(copy: WorkingCopy, before: Name, after: Name) -> tuple[list[Updated], list[Subrepo]]:
    """Let subrepos follow from one state of the repository around them to another.

    Returns:
        Those that went, and those that stayed: they were elsewhere, lack the state, or hold
        edits.

    Cost: what differs between the trees.
    """
    repository = copy.repository
    old, new = (tree_of(repository, state) for state in (before, after))
    went, stayed = [], []
    for path, one, other in differences(old, new):
        if other is None or other.kind != KIND_SUBREPO or not is_repository(copy.root, path):
            continue
        pin = pin_in(repository, other, after)
        was_one = one is not None and one.kind == KIND_SUBREPO
        was = pin_in(repository, one, before) if one is not None and was_one else pin
        seen = examine(copy.root, path, was)
        done = None if seen.edits or seen.stands != PINNED else _followed(copy.root, path, pin)
        if done is None:
            stayed.append(examine(copy.root, path, pin))
        else:
            went.append(done)
    return went, stayed


def _followed(root: bytes, path: bytes, pin: bytes) -> Updated | None:
    """Make a subrepo without edits what a pin says; None where it cannot be."""
    with working_copy(os.path.join(root, path)) as inner:
        inner.look()
        wanted = state_of(inner.repository, pin)
        try:
            return None if wanted is None else Updated(path, _go(inner, wanted))
        except (RequestError, StateError):
            return None


def _chosen(copy: WorkingCopy, paths: Sequence[bytes]) -> list[Pinned]:
    found = {each.path: each for each in pins(copy.repository, copy.base.state)}
    for path in paths:
        if path not in found:
            raise NoSubrepoError(path)
    return [each for path, each in found.items() if not paths or path in paths]


def _require_free(copy: WorkingCopy, path: bytes) -> None:
    broken = path_refusal(path)
    if broken is not None:
        raise NotNestedError(path, f"its path {broken}")
    if not is_inside(copy.root, path):
        raise NotNestedError(path, "a symlink is on the way to it")
    root = tree_of(copy.repository, copy.base.state)
    if subtree(root, path) is not None or get(root, path) is not None:
        raise NotNestedError(path, "something is tracked there already")


def _pin_on_disk(root: bytes, path: bytes) -> bytes:
    if not is_repository(root, path):
        raise NotNestedError(path, "no repository of oxy is there")
    repository = Repository.at(os.path.join(root, path))
    try:
        held = repository.refs.get(HERE)
        if held is None or not held.state.heads:
            raise NotNestedError(path, "nothing is recorded in it")
        return pin_of(repository, held.state)
    finally:
        repository.close()
