"""Rewrite changes of the state that the files are of, and go along (spec: states, S12).

What every verb that rewrites has in common: the new changes and the names move in one
operation, and the files stay as they are, because the new state holds the same.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.actions.arriving import moves_to
from oxy.actions.clock import now
from oxy.actions.following import follow
from oxy.actions.going import require_unmoved
from oxy.actions.identity import operator
from oxy.model.digest import short
from oxy.model.operation import KIND_SUBREPO
from oxy.phase import phase
from oxy.repo.refs import BOOKMARK, HERE, TAG, Target
from oxy.repo.repository import Repository
from oxy.repo.rewriting.engine import Rewritten, rewrite
from oxy.repo.rewriting.steps import Plan
from oxy.repo.sides import Sides, sides_of
from oxy.repo.states import Name
from oxy.repo.tree import Entry, differences, edited
from oxy.repo.trees import keep, tree_of
from oxy.repo.writing import Stamp, Writing, writing
from oxy.store.protocol import CHANGE
from oxy.worktree import resolutions
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.row import UNKNOWN, is_racy
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.workcopy import WorkingCopy


class Replacement(NamedTuple):
    """A new change: its id and message, what it replaces, and whether it merely follows."""

    id: bytes
    message: bytes
    replaces: tuple[bytes, ...]
    follows: bool


class Outcome(NamedTuple):
    """What came of a rewrite: the bookmark and heads now, and the new changes in order.

    `kept_by` are other bookmarks and tags: they hold old changes still. Where it was only
    tried, nothing of this is so.
    """

    bookmark: bytes | None
    heads: tuple[bytes, ...]
    replacements: tuple[Replacement, ...]
    kept_by: tuple[bytes, ...]


class Request(NamedTuple):
    """What is to be done: the words for the operation log; a trial is taken back at once.

    `clock` is the file system's time from before anything was read of the files. `taken` tells
    of each path whose content comes from them: digest and record, or None if not all of it.
    """

    words: bytes
    is_trial: bool
    clock: int
    taken: Mapping[bytes, tuple[bytes, bytes] | None] = {}


Make = Callable[[Writing], Plan]
"""Makes the plan, once the working copy is known to be where it was."""


class _TriedError(Exception):
    """Takes back what was only tried."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


def carry_out(copy: WorkingCopy, request: Request, make: Make) -> Outcome:
    """Rewrite, move the names, and follow with what is known of the files.

    Cost: the changes that are rewritten, and the nodes that they touch.

    Raises:
        SwitchInterruptedError: the files are in between two states.
        MovedMeanwhileError, MovedError: another process was faster.
        NeededError, LostPlaceError: it cannot be done; nothing has changed.
    """
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    repository, base = copy.repository, copy.base
    reached = Name()

    def act(work: Writing) -> Outcome:
        nonlocal reached
        require_unmoved(repository, base, moves_to(copy, base.state))
        plan = make(work)
        done = rewrite(work, plan)
        reached = done.state
        for move in moves_to(copy, reached, _sides(repository, done)):
            work.move(move.ref, move.after)
        return outcome_of(repository, base.bookmark, plan, done)

    stamp = Stamp(*now(), operator(), request.words)
    outcome = at_once(repository, stamp, act, is_trial=request.is_trial)
    if not request.is_trial:
        _follow(copy, Target(reached, (), base.bookmark), request)
    return outcome


def at_once(
    repository: Repository, stamp: Stamp, act: Callable[[Writing], Outcome], *, is_trial: bool
) -> Outcome:
    """Do something in one transaction; a trial is taken back."""
    try:
        with phase("database"), writing(repository, stamp) as work:
            outcome = act(work)
            if is_trial:
                raise _TriedError(outcome)  # noqa: TRY301 - it is how a transaction ends
    except _TriedError as tried:
        return tried.outcome
    return outcome


def _sides(repository: Repository, done: Rewritten) -> Sides | None:
    """Return whose side a change is on, said of the new changes, if that is known."""
    held = repository.refs.get(HERE)
    sides = held and sides_of(repository.store, held)
    return sides and Sides(*(_image(repository, name, done) for name in sides))


def _image(repository: Repository, name: Name, done: Rewritten) -> Name:
    """Return a state with new changes in place of the old, as far as it has these."""
    members = repository.states.members(name)
    new = {image for old, images in done.images.items() if old in members for image in images}
    if not new:
        return name
    kept = BitMap(change for change in members if change not in done.images)
    return repository.states.name_of(kept | BitMap(new))


def outcome_of(
    repository: Repository, bookmark: bytes | None, plan: Plan, done: Rewritten
) -> Outcome:
    """Return what came of a rewrite of a bookmark's state, or of one that has none."""
    store = repository.store
    explicit = {source for step in plan.steps for source in step.sources}
    silent = {source for step in plan.steps for source in step.silent}
    replaces: dict[int, list[int]] = {}
    for old, images in done.images.items():
        for new in images:
            replaces.setdefault(new, []).append(old)
    replacements = tuple(
        Replacement(
            store.id_of(CHANGE, new),
            repository.header(new).message,
            tuple(store.ids_of(CHANGE, [o for o in sorted(old) if o not in silent])),
            explicit.isdisjoint(old),
        )
        for new, old in sorted(replaces.items())
    )
    return Outcome(
        bookmark,
        tuple(sorted(store.ids_of(CHANGE, done.state.heads))),
        replacements,
        tuple(holding_names(repository, bookmark, done.images.keys() - silent)),
    )


def holding_names(
    repository: Repository, besides: bytes | None, changes: Iterable[int]
) -> Iterator[bytes]:
    """Yield the bookmarks, but for one, and the tags whose states have any of some changes.

    Cost: the state of each name.
    """
    wanted = BitMap(changes)
    for kind in (BOOKMARK, TAG):
        for name, target in repository.refs.all(kind):
            if kind == BOOKMARK and name == besides:
                continue
            if not wanted.isdisjoint(repository.states.members(target.state)):
                yield name


def _follow(copy: WorkingCopy, target: Target, request: Request) -> None:
    """Bring what is known of the files to the new state, whose nodes may be others.

    How conflicts show hangs on the ids of changes: markers name them, and so do the files of
    which several claim one path. What so shows otherwise is written.
    """
    repository = copy.repository
    before, tree = tree_of(repository, copy.base.state), tree_of(repository, target.state)
    known: dict[bytes, tuple[Item, bytes] | None] = {}
    better: dict[bytes, Entry | None] = {}
    for path, old, new in differences(before, tree):
        if path not in request.taken and any(each and each.disputed for each in (old, new)):
            continue
        if new is None or new.kind == KIND_SUBREPO:
            known[path] = None
            continue
        if path in request.taken:
            digest, record = request.taken[path] or (UNHASHED, UNKNOWN)
        else:
            digest, record = _carried(copy, path, old)
        known[path] = Item(new.node, new.kind, new.mode, digest), record
        if digest != UNHASHED:
            better[path] = new._replace(digest=digest)
    with phase("history"):
        keep(repository, target.state, edited(tree, better))
    chosen = resolutions.NOTHING
    if copy.here.disputed:
        known = follow(copy, before, target.state, tree, known)
        chosen = resolutions.read(copy.control, copy.here.state)
    copy.moved(target, known, request.clock)
    if chosen:
        resolutions.write(copy.control, copy.here.state, chosen)


def _carried(copy: WorkingCopy, path: bytes, old: Entry | None) -> tuple[bytes, bytes]:
    """Return digest and record of a file that the new state holds as the old one did."""
    directory, _, name = path.rpartition(b"/")
    row = copy.manifest.row(directory)
    for entry in row.entries() if row is not None and old is not None else ():
        if entry.name == name:
            is_stale = row is None or is_racy(entry.record, row.clock)
            return entry.digest, UNKNOWN if is_stale else entry.record
    return UNHASHED, UNKNOWN


def words_of(verb: bytes, repository: Repository, changes: Iterable[int]) -> bytes:
    """Return what the operation log calls a rewrite of some changes."""
    ids = repository.store.ids_of(CHANGE, list(changes))
    return b" ".join((verb, *(os.fsencode(short(name)) for name in ids)))
