"""Have only some files of a state in the working copy (spec: working-copy, W70 to W72).

What comes is written before the note of the patterns is, and what goes is removed after it: so
a crash in between leaves files that are here too many, never one that seems deleted. The same
command again removes them.
"""

import os
from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.actions.placing import alone
from oxy.actions.restoring import EditedError
from oxy.actions.ways import item_of
from oxy.errors import RequestError, StateError
from oxy.repo.tree import Entry, files
from oxy.repo.trees import tree_of
from oxy.worktree.checkout import Plan, Wanted, plan
from oxy.worktree.item import Item
from oxy.worktree.placing import carry_out
from oxy.worktree.sparse import Sparse, require_patterns
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.travel import Local
from oxy.worktree.workcopy import WorkingCopy


class AllHereError(RequestError):
    """Patterns are to be added where the working copy has everything."""

    def __init__(self) -> None:
        super().__init__("the working copy has every file already")


class BesideGitError(StateError):
    """The working copy is a Git checkout as well, which would take files for deleted."""

    def __init__(self) -> None:
        super().__init__("this is a Git checkout too, and Git would take files for deleted")


class Thinned(NamedTuple):
    """How many files came, went, are here now, and stay away."""

    written: int
    removed: int
    here: int
    away: int


def thin(copy: WorkingCopy, lines: Sequence[bytes] | None) -> Thinned:
    """Have the files that patterns fit, and no others; None is all.

    Args:
        copy: the working copy.
        lines: patterns as in an ignore file, the last that fits decides.

    Cost: a look at every path of the state; the files that come and go.

    Raises:
        BadPatternError: a pattern can fit nothing.
        EditedError: files that would go have local edits; nothing was done.
        WouldOverwriteError: something else is where files would come; nothing was done.
        BesideGitError: this is a Git checkout too.
        SwitchInterruptedError: the files are in between two states.
    """
    require_patterns(lines or ())
    copy.look()
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    if lines is not None and os.path.exists(os.path.join(copy.store, b"companion")):
        raise BesideGitError
    wanted = None if lines is None else Sparse(lines)
    held = dict(files(tree_of(copy.repository, copy.base.state)))
    coming = [path for path in held if not copy.has(path) and _has(wanted, path)]
    going = [path for path in held if not _has(wanted, path)]
    _refuse_edited(copy, wanted)
    come = _planned(copy, [_to_write(copy, path, held[path]) for path in coming])
    with alone(copy):
        known = carry_out(copy.fd, come, copy.content, copy.progress)
        copy.thinned(wanted, _entries(known))
        left = [_to_remove(copy, p, held[p]) for p in going if os.path.lexists(_at(copy, p))]
        leaving = _planned(copy, left)
        carry_out(copy.fd, leaving, copy.content, copy.progress)
    here = sum(_has(wanted, path) for path in held)
    return Thinned(len(come.steps), len(leaving.steps), here, len(held) - here)


def added(copy: WorkingCopy, lines: Sequence[bytes]) -> Thinned:
    """Have the files that more patterns fit as well; see `thin`.

    Raises:
        AllHereError: the working copy has everything.
    """
    if copy.sparse is None:
        raise AllHereError
    return thin(copy, [*copy.sparse.lines, *(x for x in lines if x not in copy.sparse.lines)])


def _has(sparse: Sparse | None, path: bytes) -> bool:
    return sparse is None or sparse.holds(path)


def _at(copy: WorkingCopy, path: bytes) -> bytes:
    return os.path.join(copy.root, path)


def _refuse_edited(copy: WorkingCopy, wanted: Sparse | None) -> None:
    """Refuse to let go of files with edits; a new file is one too, and stays where it is."""
    edited = [
        path
        for change in copy.snapshot().changes
        for path in {change.path, change.source or change.path}
        if not _has(wanted, path)
    ]
    if edited:
        raise EditedError(sorted(edited))


def _to_write(copy: WorkingCopy, path: bytes, entry: Entry) -> Wanted:
    return Wanted(path, ((None, copy.content),), item_of(entry))


def _to_remove(copy: WorkingCopy, path: bytes, entry: Entry) -> Wanted:
    return Wanted(path, ((item_of(entry), copy.content),), None)


def _planned(copy: WorkingCopy, wanted: list[Wanted]) -> Plan:
    """Look at paths, and say what is to be done; subrepos stay as they are."""
    from oxy.worktree.carrying import Carrier

    files_only = [each for each in wanted if each.item or each.held[0][0]]
    local = Local(Carrier(copy.repository, copy.content, copy.content))
    return plan(copy.fd, copy.manifest, sorted(files_only), copy.content, local)


def _entries(
    known: dict[bytes, tuple[Item, bytes] | None],
) -> Iterator[tuple[bytes, Item, bytes]]:
    for path, held in known.items():
        if held is not None:
            yield path, *held
