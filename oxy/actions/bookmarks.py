"""Bookmarks: listing, making, moving, renaming, deleting (spec: states, S17, S19)."""

import os
from collections.abc import Iterator
from oxy.typed import Final, NamedTuple

from oxy.errors import RequestError
from oxy.repo.refname import check
from oxy.repo.refs import BOOKMARK, HERE, TAG, WORKING, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import CHANGE

DESCRIPTION: Final = b"oxy:description"
"""The field of a bookmark that says what it is for. It stays in this repository."""


class NameTakenError(RequestError):
    """There is a bookmark or tag of this name already."""

    def __init__(self, what: str, name: bytes) -> None:
        super().__init__(f"there is a {what} '{os.fsdecode(name)}' already")
        self.name = name


class NoBookmarkError(RequestError):
    """There is no bookmark of this name; `near` are those that look like it."""

    def __init__(self, name: bytes, near: tuple[str, ...]) -> None:
        super().__init__(f"there is no bookmark '{os.fsdecode(name)}'")
        self.name = name
        self.near = near


class CurrentBookmarkError(RequestError):
    """A bookmark cannot be moved or deleted beneath the working copy that stands on it."""

    def __init__(self, name: bytes) -> None:
        super().__init__(f"the working copy is on the bookmark '{os.fsdecode(name)}'")
        self.name = name


class OthersBookmarkError(RequestError):
    """A bookmark is not moved, renamed or deleted beneath another working copy on it."""

    def __init__(self, name: bytes, workspace: bytes) -> None:
        named = os.fsdecode(name)
        super().__init__(
            f"the workspace '{os.fsdecode(workspace)}' is on the bookmark '{named}'"
        )
        self.name = name
        self.workspace = workspace


class BackwardsError(RequestError):
    """A bookmark would not hold any more what it holds."""

    def __init__(self, name: bytes, lost: int) -> None:
        count = "1 change" if lost == 1 else f"{lost} changes"
        super().__init__(f"the bookmark '{os.fsdecode(name)}' would lose {count}")
        self.name = name
        self.lost = lost


class Held(NamedTuple):
    """A name and the state that it holds: ids of its heads and of what is absent from it.

    `is_current` says that the working copy is on it; `extra` are fields of a tag.
    """

    name: bytes
    heads: tuple[bytes, ...]
    absent: tuple[bytes, ...]
    is_current: bool
    extra: tuple[tuple[bytes, bytes], ...]


def held(repository: Repository, kind: int) -> Iterator[Held]:
    """Yield the bookmarks, or the tags, in order of their names."""
    current = current_bookmark(repository) if kind == BOOKMARK else None
    for name, target in repository.refs.all(kind):
        heads, absent = (
            tuple(sorted(repository.store.ids_of(CHANGE, part))) for part in target.state
        )
        yield Held(name, heads, absent, name == current, target.extra)


def current_bookmark(repository: Repository) -> bytes | None:
    """Return the bookmark that the working copy is on, if any."""
    here = repository.refs.get(HERE)
    return here.bookmark if here else None


def others_on(repository: Repository, name: bytes) -> tuple[bytes, ...]:
    """Return the other working copies that are on a bookmark. Cost: a row for each."""
    held = repository.refs.all(WORKING)
    return tuple(where for where, target in held if where and target.bookmark == name)


def create(repository: Repository, stamp: Stamp, name: bytes, state: Name) -> None:
    """Make a bookmark for a state.

    Raises:
        RefNameError, NameFoldsError: it may not be called so.
        NameTakenError: there is one.
    """
    _check_new(repository, name)
    with writing(repository, stamp) as work:
        work.move(Ref(BOOKMARK, name), Target(state))


def move(
    repository: Repository, stamp: Stamp, name: bytes, state: Name, *, backwards: bool = False
) -> None:
    """Make a bookmark hold another state.

    Raises:
        NoBookmarkError: there is none.
        CurrentBookmarkError: the working copy is on it.
        BackwardsError: it would lose changes, and nobody said that it may.
    """
    target = existing(repository, name)
    _check_not_current(repository, name)
    members = repository.states.members
    lost = len(members(target.state) - members(state))
    if lost and not backwards:
        raise BackwardsError(name, lost)
    with writing(repository, stamp) as work:
        work.move(Ref(BOOKMARK, name), target._replace(state=state))


def delete(repository: Repository, stamp: Stamp, name: bytes) -> int:
    """Delete a bookmark; its changes stay.

    Returns:
        How many changes of it no other bookmark or tag holds.

    Raises:
        NoBookmarkError: there is none.
        CurrentBookmarkError: the working copy is on it.
    """
    target = existing(repository, name)
    _check_not_current(repository, name)
    left = repository.states.members(target.state)
    for kind in (BOOKMARK, TAG):
        for other, beside in repository.refs.all(kind):
            if left and (kind, other) != (BOOKMARK, name):
                left = left - repository.states.members(beside.state)
    with writing(repository, stamp) as work:
        work.move(Ref(BOOKMARK, name), None)
    return len(left)


def describe(repository: Repository, stamp: Stamp, name: bytes, text: bytes) -> None:
    """Say what a bookmark is for; nothing takes that away.

    Raises:
        NoBookmarkError: there is none.
    """
    target = existing(repository, name)
    extra = {key: value for key, value in target.extra if key != DESCRIPTION}
    if text.strip():
        extra[DESCRIPTION] = text.strip()
    with writing(repository, stamp) as work:
        work.move(Ref(BOOKMARK, name), target._replace(extra=tuple(sorted(extra.items()))))


def rename(repository: Repository, stamp: Stamp, old: bytes, new: bytes) -> None:
    """Give a bookmark another name; a working copy that is on it stays so.

    Raises:
        NoBookmarkError: there is none.
        RefNameError, NameFoldsError: it may not be called so.
        NameTakenError: there is one of the new name.
    """
    target = existing(repository, old)
    _check_nobody_elses(repository, old)
    _check_new(repository, new, besides=old)
    here = repository.refs.get(HERE)
    with writing(repository, stamp) as work:
        work.move(Ref(BOOKMARK, old), None)
        work.move(Ref(BOOKMARK, new), target)
        if here is not None and here.bookmark == old:
            work.move(HERE, here._replace(bookmark=new))


def _check_new(repository: Repository, name: bytes, besides: bytes | None = None) -> None:
    names = repository.refs.names(BOOKMARK)
    if name in names:
        what = "bookmark"
        raise NameTakenError(what, name)
    check(name, (other for other in names if other != besides))


def existing(repository: Repository, name: bytes) -> Target:
    """Return what a bookmark holds.

    Raises:
        NoBookmarkError: there is none.
    """
    target = repository.refs.get(Ref(BOOKMARK, name))
    if target is None:
        from difflib import get_close_matches

        names = [os.fsdecode(other) for other in repository.refs.names(BOOKMARK)]
        raise NoBookmarkError(name, tuple(get_close_matches(os.fsdecode(name), names)))
    return target


def _check_not_current(repository: Repository, name: bytes) -> None:
    if current_bookmark(repository) == name:
        raise CurrentBookmarkError(name)
    _check_nobody_elses(repository, name)


def _check_nobody_elses(repository: Repository, name: bytes) -> None:
    others = others_on(repository, name)
    if others:
        raise OthersBookmarkError(name, others[0])
