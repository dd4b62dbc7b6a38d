"""Move files and directories, and note that it is a move (spec: names, N30, N42)."""

import os
from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.actions.near import tracked_alike
from oxy.actions.placing import alone
from oxy.actions.status import NoSuchPathError
from oxy.actions.steps import MOVED, Step, stepping
from oxy.errors import RequestError
from oxy.model.operation import KIND_SUBREPO
from oxy.model.pathrule import path_refusal
from oxy.repo.moving import IntoItselfError
from oxy.repo.tree import Directory, files, subtree
from oxy.repo.trees import tree_of
from oxy.worktree.checkout import RefusedPathError
from oxy.worktree.item import Item
from oxy.worktree.moves import Move, item_at, read, record_at, standing, write
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.workcopy import WorkingCopy
from oxy.worktree.writer import TreeWriter


class TakenError(RequestError):
    """Something is at the path that a file is to be moved to."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is there already")
        self.path = path


class SubrepoThereError(RequestError):
    """What is to be moved is a subrepo, or has one in it."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is a subrepo, whose move is a change of its own")
        self.path = path


class NoDirectoryError(RequestError):
    """Several files are to be moved into what is no directory."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is no directory")
        self.path = path


class Moved(NamedTuple):
    """What was moved: paths, how many tracked files, and whether it was done already."""

    old: bytes
    new: bytes
    files: int
    was_done: bool


def mv(copy: WorkingCopy, sources: Sequence[bytes], target: bytes) -> list[Moved]:
    """Move files or directories, to a path or into a directory that is there.

    Where a file is gone, and one that is not tracked is at the new path, the move is only
    noted.

    Cost: the files below the paths, and a look at every directory that is tracked.

    Raises:
        NoSuchPathError: there is nothing to move.
        TakenError, NoDirectoryError, IntoItselfError: it cannot be there.
        RefusedPathError: the path rule refuses the new path.
        SubrepoThereError: a subrepo would move.
        OutsideError: a sparse working copy has nothing there.
        SwitchInterruptedError: the files are in between two states.
        UnwritableError: the system refuses.
    """
    copy.look()
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    pairs = _pairs(copy, sources, target)
    done, known = _looked_at(copy, pairs)
    words = b" ".join((b"mv", *sources, target))
    rows = tuple((old, new, int(was_done)) for old, new, _, was_done in done)
    with stepping(copy, words, Step(MOVED, rows)):
        _carry_out(copy, done, known)
    return done


def move_quietly(copy: WorkingCopy, pairs: Sequence[tuple[bytes, bytes]]) -> int:
    """Move files and directories from paths to paths as `mv` does, and note no step.

    Returns:
        How many tracked files moved.
    """
    done, known = _looked_at(copy, pairs)
    with alone(copy):
        _carry_out(copy, done, known)
    return sum(each.files for each in done)


def _looked_at(
    copy: WorkingCopy, pairs: Sequence[tuple[bytes, bytes]]
) -> tuple[list[Moved], list[Move]]:
    """Return what is to be moved, and which moves are to be noted then."""
    held = standing(copy)
    known = {move.old: move for move in read(copy.control) if move.old in held}
    done = []
    for old, new in pairs:
        was_done = _refuse(copy, old, new)
        found = list(_tracked(copy, old, new, was_done=was_done))
        for move in found:
            copy.require_has(move.new)
            known[move.old] = move
        done.append(Moved(old, new, len(found), was_done))
    return done, list(known.values())


def _carry_out(copy: WorkingCopy, done: Sequence[Moved], known: Sequence[Move]) -> None:
    writer = TreeWriter(copy.fd)
    try:
        write(copy.control, known)
        for old, new, _, was_done in done:
            if not was_done:
                writer.move(old, new)
    finally:
        writer.close()


def _pairs(
    copy: WorkingCopy, sources: Sequence[bytes], target: bytes
) -> list[tuple[bytes, bytes]]:
    """Return from where to where."""
    where = os.path.join(copy.root, target)
    is_directory = os.path.isdir(where) and not os.path.islink(where)
    if len(sources) == 1 and is_directory and _is_same(copy, sources[0], target):
        is_directory = False
    if not is_directory and len(sources) > 1:
        raise NoDirectoryError(target)
    pairs = [(old, _in(target, old) if is_directory else target) for old in sources]
    taken: set[bytes] = set()
    for _, new in pairs:
        if new in taken:
            raise TakenError(new)
        taken.add(new)
    return pairs


def _in(directory: bytes, path: bytes) -> bytes:
    name = path.rpartition(b"/")[2]
    return directory + b"/" + name if directory else name


def _is_same(copy: WorkingCopy, old: bytes, new: bytes) -> bool:
    """Tell whether two names are of one file, as where the file system folds case."""
    one, other = os.path.join(copy.root, old), os.path.join(copy.root, new)
    try:
        return os.path.samestat(os.lstat(one), os.lstat(other))
    except OSError:
        return False


def _refuse(copy: WorkingCopy, old: bytes, new: bytes) -> bool:
    """Refuse what cannot be done; return whether it was done by somebody already."""
    if not old or new == old or new.startswith(old + b"/"):
        raise IntoItselfError(old)
    for path in (old, new):
        reason = path_refusal(path)
        if reason is not None:
            raise RefusedPathError(path, reason)
    _refuse_subrepos(copy, old)
    is_there = os.path.lexists(os.path.join(copy.root, old))
    is_taken = os.path.lexists(os.path.join(copy.root, new))
    is_known = item_at(copy, new) is not None or copy.manifest.holds(new)
    if is_there and is_taken and not (_is_same(copy, old, new) and old.lower() == new.lower()):
        raise TakenError(new)
    if not is_there and (not is_taken or is_known or not any(_items(copy, old))):
        raise NoSuchPathError(old, tracked_alike(copy, old))
    return not is_there


def _refuse_subrepos(copy: WorkingCopy, old: bytes) -> None:
    at = subtree(tree_of(copy.repository, copy.base.state), old)
    below = files(at, old) if isinstance(at, Directory) else [(old, at)] if at else []
    for path, entry in below:
        if entry.kind == KIND_SUBREPO:
            raise SubrepoThereError(path)


def _tracked(copy: WorkingCopy, old: bytes, new: bytes, *, was_done: bool) -> Iterator[Move]:
    """Yield the moves of the tracked files, from where the base state has them."""
    moves = standing(copy)
    there = {move.new: move for move in moves.values()}
    origin = copy.repository.nodes.origin
    for path, item in _items(copy, old):
        place = new + path[len(old) :]
        at = place if was_done else path
        if path not in moves and path not in there and record_at(copy, at) is not None:
            yield Move(origin(item.node)[0], path, place)
    for path, move in there.items():
        if path == old or path.startswith(old + b"/"):
            yield Move(origin(move.item.node)[0], move.old, new + path[len(old) :])


def _items(copy: WorkingCopy, path: bytes) -> Iterator[tuple[bytes, Item]]:
    """Yield what the base state has at and below a path."""
    own = item_at(copy, path)
    if own is not None:
        yield path, own
        return
    for directory in copy.manifest.directories():
        row = copy.manifest.row(directory)
        if row is not None and (directory == path or directory.startswith(path + b"/")):
            for entry in row.entries():
                yield directory + b"/" + entry.name, Item.of(entry)
