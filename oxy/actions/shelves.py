"""Edits put aside: what there is, and how they come back (spec: states, S36 to S38)."""

import os
from collections.abc import Iterator, Sequence
from oxy.typed import Final, NamedTuple

from oxy.actions.going import Went, go, go_back
from oxy.errors import RequestError
from oxy.model.change import Header, subject
from oxy.model.digest import short
from oxy.repo.operations import Move
from oxy.repo.refs import DISCARDED, SHELF, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.sets import closure, with_added
from oxy.repo.states import Name
from oxy.repo.tables import CHANGED, key, unpack_numbers
from oxy.repo.tree import disputed
from oxy.repo.trees import tree_of
from oxy.repo.writing import Stamp
from oxy.store.protocol import CHANGE
from oxy.worktree.workcopy import WorkingCopy

SHOWN = 10
"""Most paths or changes that an error names."""


HELD: Final = Ref(DISCARDED, b"")
HELD_NAME: Final = b"discarded"
"""What was thrown away, as errors call it."""


class NoShelfError(RequestError):
    """Nothing was put aside under a name; `near` are those that look like it."""

    def __init__(self, name: bytes, near: tuple[str, ...]) -> None:
        super().__init__(f"there is no shelf '{os.fsdecode(name)}'")
        self.name = name
        self.near = near


class ShelfLacksError(RequestError):
    """What was put aside depends on changes that the present state has not."""

    def __init__(self, name: bytes, lacking: Sequence[str]) -> None:
        told = ", ".join(lacking[:SHOWN])
        rest = f" and {len(lacking) - SHOWN} more" if len(lacking) > SHOWN else ""
        what = f"shelf '{os.fsdecode(name)}' depends on changes that are not here"
        super().__init__(f"{what}: {told}{rest}")
        self.name = name
        self.lacking = tuple(lacking)


class ShelfConflictError(RequestError):
    """What was put aside is in conflict with the present state."""

    def __init__(self, name: bytes, paths: Sequence[bytes]) -> None:
        told = ", ".join(os.fsdecode(path) for path in paths[:SHOWN])
        rest = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
        what = f"shelf '{os.fsdecode(name)}' is in conflict with what is here"
        super().__init__(f"{what}: {told}{rest}")
        self.name = name
        self.paths = tuple(paths)


class Shelf(NamedTuple):
    """Edits that were put aside: the name, and the change that holds them."""

    name: bytes
    id: bytes
    header: Header


def shelves(repository: Repository) -> Iterator[Shelf]:
    """Yield what was put aside, in order of names."""
    for name, target in repository.refs.all(SHELF):
        yield shelf_of(repository, name, target)


def shelf_of(repository: Repository, name: bytes, target: Target) -> Shelf:
    """Return what a shelf holds."""
    change = change_of(target)
    return Shelf(name, repository.store.id_of(CHANGE, change), repository.header(change))


def change_of(target: Target) -> int:
    """Return the change of a shelf, which came last of its state."""
    return max(target.state.heads)


def shelf_called(repository: Repository, name: bytes) -> Target:
    """Return what a shelf holds.

    Raises:
        NoShelfError: there is none of this name.
    """
    target = repository.refs.get(Ref(SHELF, name))
    if target is None:
        from difflib import get_close_matches

        known = map(os.fsdecode, repository.refs.names(SHELF))
        raise NoShelfError(name, tuple(get_close_matches(os.fsdecode(name), list(known))))
    return target


def bring(
    copy: WorkingCopy, stamp: Stamp, moves: Sequence[Move], name: bytes, shelf: Target
) -> Went:
    """Make the edits of a shelf local edits on the present state, and move names.

    Local edits that are there go along.

    Raises:
        ShelfLacksError: the state lacks what they depend on.
        ShelfConflictError: the state is in conflict with them.
        WouldOverwriteError: other edits or untracked files are in the way.
    """
    repository, base = copy.repository, copy.base
    files = united(repository, name, base.state, shelf)
    known = {e.node: e.disputed for _, e in disputed(tree_of(repository, base.state))}
    found = {
        path
        for path, entry in disputed(tree_of(repository, files))
        if entry.disputed & ~known.get(entry.node, 0)
    }
    found |= set(_edited_away(repository, shelf, files))
    if found:
        raise ShelfConflictError(name, sorted(found))
    return go(copy, stamp, moves, base.bookmark or b"@", files)


def take(
    copy: WorkingCopy, stamp: Stamp, moves: Sequence[Move], name: bytes, shelf: Target
) -> Went:
    """Take the edits of a shelf, which are local edits, out of the files; and move names.

    A file that was edited further stays as it is.
    """
    base = copy.base
    files = united(copy.repository, name, base.state, shelf)
    return go_back(copy, stamp, moves, files, base.bookmark or b"@")


def _edited_away(repository: Repository, shelf: Target, files: Name) -> Iterator[bytes]:
    """Yield the paths of files that a shelf edits and that are deleted in a state."""
    own, state = map(repository.states.members, (shelf.state, files))
    row = repository.store.row(CHANGED, key(change_of(shelf))) or b""
    for node in unpack_numbers(row):
        path = repository.nodes.view(node, own).path
        if path is not None and repository.nodes.view(node, state).path is None:
            yield path


def united(repository: Repository, name: bytes, own: Name, shelf: Target) -> Name:
    """Return a state with the change of a shelf.

    Raises:
        ShelfLacksError: the state lacks what that depends on.
    """
    states = repository.states
    change = change_of(shelf)
    came = closure(states, [change]) - states.members(own)
    lacking = [other for other in came if other != change]
    if lacking:
        ids = repository.store.ids_of(CHANGE, lacking)
        headers = repository.headers(lacking)
        told = [
            f"{short(each)} {os.fsdecode(subject(header.message))}".rstrip()
            for each, (_, header) in zip(ids, headers, strict=True)
        ]
        raise ShelfLacksError(name, told)
    return with_added(states, own, came)
