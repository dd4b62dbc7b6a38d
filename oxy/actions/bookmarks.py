"""Bookmarks: listing, making, moving, renaming, deleting (spec: states, S17, S19)."""

import os
from collections.abc import Iterator
from oxy.typed import NamedTuple

from oxy.errors import RequestError
from oxy.repo.refname import check
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import CHANGE


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


def create(repository: Repository, stamp: Stamp, name: bytes, state: Name) -> None:
    """Make a bookmark for a state.

    Raises:
        RefNameError, NameFoldsError: it may not be called so.
        NameTakenError: there is one.
    """
    _check_new(repository, name)
    with writing(repository, stamp) as work:
        work.move(Ref(BOOKMARK, name), Target(state))


def move(repository: Repository, stamp: Stamp, name: bytes, state: Name) -> None:
    """Make a bookmark hold another state.

    Raises:
        NoBookmarkError: there is none.
        CurrentBookmarkError: the working copy is on it.
    """
    target = _existing(repository, name)
    _check_not_current(repository, name)
    with writing(repository, stamp) as work:
        work.move(Ref(BOOKMARK, name), target._replace(state=state))


def delete(repository: Repository, stamp: Stamp, name: bytes) -> None:
    """Delete a bookmark; its changes stay.

    Raises:
        NoBookmarkError: there is none.
        CurrentBookmarkError: the working copy is on it.
    """
    _existing(repository, name)
    _check_not_current(repository, name)
    with writing(repository, stamp) as work:
        work.move(Ref(BOOKMARK, name), None)


def rename(repository: Repository, stamp: Stamp, old: bytes, new: bytes) -> None:
    """Give a bookmark another name; a working copy that is on it stays so.

    Raises:
        NoBookmarkError: there is none.
        RefNameError, NameFoldsError: it may not be called so.
        NameTakenError: there is one of the new name.
    """
    target = _existing(repository, old)
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


def _existing(repository: Repository, name: bytes) -> Target:
    target = repository.refs.get(Ref(BOOKMARK, name))
    if target is None:
        from difflib import get_close_matches

        names = [os.fsdecode(other) for other in repository.refs.names(BOOKMARK)]
        raise NoBookmarkError(name, tuple(get_close_matches(os.fsdecode(name), names)))
    return target


def _check_not_current(repository: Repository, name: bytes) -> None:
    if current_bookmark(repository) == name:
        raise CurrentBookmarkError(name)
