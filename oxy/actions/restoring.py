"""Have files as another state has them, as local edits (spec: working-copy, W40)."""

import os
from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.actions.naming import resolve
from oxy.actions.near import recorded_alike
from oxy.actions.placing import refuse_blocked
from oxy.actions.steps import RESTORED, stepping
from oxy.actions.steps import Step as Done
from oxy.actions.tree import NoPathError
from oxy.errors import RequestError
from oxy.model.operation import KIND_SUBREPO
from oxy.repo.tree import Directory, Entry, files, subtree
from oxy.repo.trees import tree_of
from oxy.worktree.checkout import Plan
from oxy.worktree.content import Content
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.moves import item_at, record_at
from oxy.worktree.placing import carry_out
from oxy.worktree.snapshot import DELETED
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.travel import Step
from oxy.worktree.workcopy import WorkingCopy

SHOWN = 10
"""Most paths that an error names."""


class EditedError(RequestError):
    """Files with edits that are recorded nowhere are to be written over."""

    def __init__(self, paths: Sequence[bytes]) -> None:
        named = ", ".join(os.fsdecode(path) for path in paths[:SHOWN])
        rest = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
        super().__init__(f"edits would be lost: {named}{rest}")
        self.paths = tuple(paths)


class Restored(NamedTuple):
    """The files that were written, and those that were removed."""

    written: tuple[bytes, ...]
    removed: tuple[bytes, ...]


def restore(copy: WorkingCopy, paths: Sequence[bytes], called: bytes) -> Restored:
    """Make files what a state has at paths; what differs from the base state is a local edit.

    Below a directory, files that the state lacks and the base state has are removed.

    Args:
        copy: the working copy.
        paths: files or directories of the state, or of the base state.
        called: what the state is called.

    Cost: the files at these paths.

    Raises:
        UnknownStateError, AmbiguousError: nothing, or too much, is called so.
        OutsideError: a sparse working copy has nothing there.
        NoPathError: neither that state nor the base state has anything at a path.
        EditedError: files there have local edits; nothing was done. (A deletion is none.)
        WouldOverwriteError: untracked files are in the way; nothing was done.
        SwitchInterruptedError: the files are in between two states.
    """
    copy.look()
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    repository = copy.repository
    state = resolve(repository, called).state
    root, base = tree_of(repository, state), tree_of(repository, copy.base.state)
    goals: dict[bytes, Entry | None] = {}
    for path in paths:
        wanted, known = dict(_below(root, path)), dict(_below(base, path))
        if not wanted and not known:
            raise NoPathError(path, recorded_alike(root, path))
        goals |= dict.fromkeys(known) | wanted
    for path in goals:
        copy.require_has(path)
    found = {change.path: change.kind for change in copy.snapshot(paths).changes}
    edited = [path for path, kind in found.items() if path in goals and kind != DELETED]
    if edited:
        raise EditedError(edited)
    content = Content(repository, state)
    steps = [
        Step(path, _item(entry), record_at(copy, path))
        for path, entry in sorted(goals.items())
        if (path in found and entry is not None)
        or (path not in found and not _is_as_wanted(copy, path, entry, content))
    ]
    steps.sort(key=lambda step: step.item is not None)
    refuse_blocked(copy, steps)
    rows = tuple((step.path, b"", int(step.over is not None)) for step in steps)
    words = b" ".join((b"restore", *paths, b"--from", called))
    with stepping(copy, words, Done(RESTORED, rows, state)):
        carry_out(copy.fd, Plan(tuple(steps), (), ()), content)
    return Restored(
        tuple(step.path for step in steps if step.item is not None),
        tuple(step.path for step in steps if step.item is None),
    )


def _below(root: Directory, path: bytes) -> Iterator[tuple[bytes, Entry]]:
    """Yield the files of a tree at and below a path."""
    found = subtree(root, path) if path else root
    start = path + b"/" if path else b""
    if isinstance(found, Directory):
        below = [(start + name, entry) for name, entry in files(found)]
    else:
        below = [] if found is None else [(path, found)]
    yield from ((name, entry) for name, entry in below if entry.kind != KIND_SUBREPO)


def _item(entry: Entry | None) -> Item | None:
    if entry is None:
        return None
    return Item(entry.node, entry.kind, entry.mode, entry.digest or UNHASHED)


def _is_as_wanted(
    copy: WorkingCopy, path: bytes, entry: Entry | None, content: Content
) -> bool:
    """Tell whether the base state, which an unedited file is of, has the same at a path."""
    held = item_at(copy, path)
    wanted = _item(entry)
    if held is None or wanted is None:
        return held is wanted
    if held[1:3] != wanted[1:3]:
        return False
    return copy.content.digest(held) == content.digest(wanted)
