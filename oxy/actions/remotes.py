"""Remotes: names for other repositories (spec: sync, SY12, SY41, SY47)."""

import os
from collections.abc import Iterator
from oxy.typed import Final, NamedTuple

from oxy.actions.near import alike
from oxy.errors import RequestError
from oxy.repo.refname import check
from oxy.repo.refs import ADDRESS, REMOTE, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing

ORIGIN: Final = b"origin"
"""What a repository that was cloned calls the one that it came from."""

_FIELD: Final = b"oxy.address"


class Remote(NamedTuple):
    """Another repository: what it is called here, and the directory that it is in."""

    name: bytes
    path: bytes


class RemoteTakenError(RequestError):
    """There is a remote of that name."""

    def __init__(self, name: bytes) -> None:
        super().__init__(f"there is a remote '{os.fsdecode(name)}' already")
        self.name = name


class NoRemoteError(RequestError):
    """There is no remote of that name."""

    def __init__(self, name: bytes, near: tuple[str, ...]) -> None:
        super().__init__(f"no remote is called '{os.fsdecode(name)}'")
        self.name = name
        self.near = near


class ForeignRemoteError(RequestError):
    """A remote is a repository of another system, which a bridge leads to."""

    def __init__(self, name: bytes) -> None:
        super().__init__(f"the remote '{os.fsdecode(name)}' is a Git repository")
        self.name = name


class WhichRemoteError(RequestError):
    """Nobody says which other repository is meant."""

    def __init__(self) -> None:
        super().__init__("which repository? there is no remote, or more than one")


class EmptyAddressError(RequestError):
    """An address is empty: a variable of a script was, and no repository is meant."""

    def __init__(self) -> None:
        super().__init__("the address of a repository is empty")


def place_of(address: bytes) -> bytes:
    """Return the directory that an address means.

    Raises:
        EmptyAddressError: it says nothing.
    """
    if not address:
        raise EmptyAddressError
    return os.path.realpath(address)


def remotes(repository: Repository) -> Iterator[Remote]:
    """Yield the remotes, in order of their names; those of a bridge are not among them."""
    for name, target in repository.refs.all(ADDRESS):
        path = dict(target.extra).get(_FIELD)
        if path is not None:
            yield Remote(name, path)


def meant(repository: Repository, given: bytes | None) -> Remote:
    """Return the remote that is meant: by its name, by its path, or because it is the only one.

    A path that is no remote's is called by itself.

    Raises:
        WhichRemoteError: none is given, and there is not exactly one, nor one called origin.
        EmptyAddressError: what is given is empty.
        NoRemoteError: nothing is called so, no remote and no path, and a remote nearly is.
        ForeignRemoteError: it is one of another system.
    """
    known = list(remotes(repository))
    if given is None:
        found = known if len(known) == 1 else [each for each in known if each.name == ORIGIN]
        if not found:
            raise WhichRemoteError
        return found[0]
    path = place_of(given)
    if not os.path.lexists(path) and given not in {each.name for each in known}:
        if given in repository.refs.names(ADDRESS):
            raise ForeignRemoteError(given)
        near = alike(given, [each.name for each in known])
        if near:
            raise NoRemoteError(given, near)
    return next(
        (each for each in known if given == each.name),
        next((each for each in known if path == each.path), Remote(path, path)),
    )


def add(repository: Repository, stamp: Stamp, name: bytes, path: bytes) -> None:
    """Call another repository by a name.

    Raises:
        RefNameError, NameFoldsError: it may not be called so.
        RemoteTakenError: another is called so.
        EmptyAddressError: the path is empty.
    """
    names = repository.refs.names(ADDRESS)
    if name in names:
        raise RemoteTakenError(name)
    check(name, names)
    with writing(repository, stamp) as work:
        fields = ((_FIELD, place_of(path)),)
        work.move(Ref(ADDRESS, name), Target(Name(), fields))


def remove(repository: Repository, stamp: Stamp, name: bytes) -> None:
    """Forget a remote, and what its bookmarks were last seen to hold.

    Raises:
        NoRemoteError: there is none.
    """
    names = repository.refs.names(ADDRESS)
    if name not in names:
        raise NoRemoteError(name, alike(name, names))
    with writing(repository, stamp) as work:
        work.move(Ref(ADDRESS, name), None)
        for held in repository.refs.names(REMOTE):
            if held.endswith(b"@" + name):
                work.move(Ref(REMOTE, held), None)
