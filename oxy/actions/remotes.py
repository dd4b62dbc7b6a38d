"""Remotes: names for other repositories (spec: sync, SY12, SY41, SY47)."""

import os
from collections.abc import Iterator
from oxy.typed import Final, NamedTuple

from oxy.actions.bookmarks import existing
from oxy.actions.near import alike
from oxy.errors import RequestError
from oxy.repo.refname import check
from oxy.repo.refs import ADDRESS, BOOKMARK, LAZY, REMOTE, UPSTREAM, Ref, Refs, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.sync.address import is_far, parse
from oxy.sync.tracking import remote_ref

ORIGIN: Final = b"origin"
"""What a repository that was cloned calls the one that it came from."""

_FIELD: Final = b"oxy.address"


class Remote(NamedTuple):
    """Another repository: what it is called here, and its directory or address (SY52)."""

    name: bytes
    address: bytes


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


class NotOfferedError(RequestError):
    """Another repository has no bookmark of that name; `near` are those that look like it."""

    def __init__(self, name: bytes, remote: bytes, near: tuple[str, ...]) -> None:
        super().__init__(f"{os.fsdecode(remote)} has no bookmark '{os.fsdecode(name)}'")
        self.name = name
        self.remote = remote
        self.near = near


class StillNeededError(RequestError):
    """A remote is to be forgotten that has promised blobs which are not here yet."""

    def __init__(self, name: bytes, blobs: int) -> None:
        what = "1 blob" if blobs == 1 else f"{blobs} blobs"
        super().__init__(f"'{os.fsdecode(name)}' has {what} that this lazy repository lacks")
        self.name = name
        self.blobs = blobs


class EmptyAddressError(RequestError):
    """An address is empty: a variable of a script was, and no repository is meant."""

    def __init__(self) -> None:
        super().__init__("the address of a repository is empty")


def remotes(repository: Repository) -> Iterator[Remote]:
    """Return the remotes, in order of their names; those of a bridge are not among them."""
    return addressed(repository.refs)


def addressed(refs: Refs) -> Iterator[Remote]:
    """Yield the remotes that some names tell, in their order; see `remotes`."""
    for name, target in refs.all(ADDRESS):
        path = dict(target.extra).get(_FIELD)
        if path is not None:
            yield Remote(name, path)


def meant(repository: Repository, given: bytes | None, bookmark: bytes | None = None) -> Remote:
    """Return the remote that is meant: by its name or where it is, or the one there is.

    What is no remote's is called by itself. Where nothing is given, it is the upstream of a
    bookmark, else the only remote, else origin.

    Args:
        repository: whose remotes.
        given: a name, a directory or an address.
        bookmark: whose upstream is meant where nothing is given.

    Raises:
        WhichRemoteError: none is given, and there is not exactly one, nor one called origin.
        EmptyAddressError: what is given is empty.
        NoRemoteError: nothing is called so, no remote and no path, and a remote nearly is.
        ForeignRemoteError: it is one of another system.
        AddressError: an address is refused.
    """
    known = list(remotes(repository))
    if given is None:
        return _usual(known, upstream(repository, bookmark))
    named = next((each for each in known if given == each.name), None)
    if named is not None:
        return named
    address = located(given)
    if not is_far(given) and not os.path.lexists(address):
        if given in repository.refs.names(ADDRESS):
            raise ForeignRemoteError(given)
        near = alike(given, [each.name for each in known])
        if near:
            raise NoRemoteError(given, near)
    found = (each for each in known if address == each.address)
    return next(found, Remote(address, address))


def _usual(known: list[Remote], name: bytes | None) -> Remote:
    found = [each for each in known if each.name == name] or known
    if len(found) > 1:
        found = [each for each in known if each.name == ORIGIN]
    if not found:
        raise WhichRemoteError
    return found[0]


def located(given: bytes) -> bytes:
    """Return the address as it is kept: a directory by its real path, another as it is.

    Raises:
        EmptyAddressError: it says nothing.
        AddressError: it is refused.
    """
    if not given:
        raise EmptyAddressError
    if not is_far(given):
        return os.path.realpath(given)
    parse(given)
    return given


def require(repository: Repository, remote: Remote) -> None:
    """Prove that what is meant has a name of its own.

    Raises:
        NoRemoteError: it is a place without one.
    """
    names = repository.refs.names(ADDRESS)
    if remote.name not in names:
        raise NoRemoteError(remote.name, alike(remote.name, names))


def upstream(repository: Repository, bookmark: bytes | None) -> bytes | None:
    """Return the name of the remote that a bookmark follows, or None."""
    target = repository.refs.get(Ref(BOOKMARK, bookmark)) if bookmark else None
    return dict(target.extra).get(UPSTREAM) if target is not None else None


def following(target: Target, remote: bytes | None) -> Target:
    """Return what a bookmark holds, following a remote from now on; None follows none."""
    extra = {key: value for key, value in target.extra if key != UPSTREAM}
    if remote is not None:
        extra[UPSTREAM] = remote
    return target._replace(extra=tuple(sorted(extra.items())))


def follow(repository: Repository, stamp: Stamp, bookmark: bytes, remote: bytes | None) -> None:
    """Let a bookmark follow the one of its name of a remote; None lets it follow none.

    Raises:
        NoBookmarkError: there is no such bookmark.
        NoRemoteError: there is no such remote.
    """
    names = repository.refs.names(ADDRESS)
    if remote is not None and remote not in names:
        raise NoRemoteError(remote, alike(remote, names))
    target = existing(repository, bookmark)
    with writing(repository, stamp) as work:
        work.move(Ref(BOOKMARK, bookmark), following(target, remote))


def add(
    repository: Repository, stamp: Stamp, name: bytes, given: bytes, *, lends: bool = False
) -> bytes:
    """Call another repository by a name; return its address as it is kept.

    One that lends is asked for blobs that are lacked (SY87).

    Raises:
        AddressError: the address is refused.
        RefNameError, NameFoldsError: it may not be called so.
        RemoteTakenError: another is called so.
        EmptyAddressError: the path is empty.
    """
    address = located(given)
    names = repository.refs.names(ADDRESS)
    if name in names:
        raise RemoteTakenError(name)
    check(name, names)
    with writing(repository, stamp) as work:
        extra = ((_FIELD, address), *(((LAZY, b""),) if lends else ()))
        work.move(Ref(ADDRESS, name), Target(Name(), extra))
    return address


def forget_lender(repository: Repository, stamp: Stamp, name: bytes) -> None:
    """Note that nothing is lacked any more that a remote has promised."""
    ref = Ref(ADDRESS, name)
    held = repository.refs.get(ref)
    if held is not None:
        extra = tuple(field for field in held.extra if field[0] != LAZY)
        with writing(repository, stamp) as work:
            work.move(ref, held._replace(extra=extra))


def remove(repository: Repository, stamp: Stamp, name: bytes) -> None:
    """Forget a remote, and what its bookmarks were last seen to hold; no bookmark follows it.

    Raises:
        NoRemoteError: there is none.
        StillNeededError: blobs are lacked that it has promised.
    """
    names = repository.refs.names(ADDRESS)
    if name not in names:
        raise NoRemoteError(name, alike(name, names))
    _require_unneeded(repository, name)
    with writing(repository, stamp) as work:
        work.move(Ref(ADDRESS, name), None)
        for bookmark in tracked(repository, name):
            work.move(remote_ref(bookmark, name), None)
        for bookmark, target in followers(repository, name):
            work.move(Ref(BOOKMARK, bookmark), following(target, None))


def _require_unneeded(repository: Repository, name: bytes) -> None:
    if repository.is_lazy:
        from oxy.repo.promised import count

        blobs = count(repository.store).blobs
        if blobs and repository.refs.lender() == name:
            raise StillNeededError(name, blobs)


def rename(repository: Repository, stamp: Stamp, old: bytes, new: bytes) -> None:
    """Give a remote another name; its bookmarks go along, and who follows it still does.

    Raises:
        NoRemoteError: there is none.
        ForeignRemoteError: it is one of another system.
        RefNameError, NameFoldsError: it may not be called so.
        RemoteTakenError: another is called so.
    """
    names = repository.refs.names(ADDRESS)
    if old not in names:
        raise NoRemoteError(old, alike(old, names))
    if old not in [each.name for each in remotes(repository)]:
        raise ForeignRemoteError(old)
    if new in names:
        raise RemoteTakenError(new)
    check(new, [name for name in names if name != old])
    with writing(repository, stamp) as work:
        for bookmark in tracked(repository, old):
            held = repository.refs.get(remote_ref(bookmark, old))
            work.move(remote_ref(bookmark, old), None)
            work.move(remote_ref(bookmark, new), held)
        for bookmark, target in followers(repository, old):
            work.move(Ref(BOOKMARK, bookmark), following(target, new))
        work.move(Ref(ADDRESS, new), repository.refs.get(Ref(ADDRESS, old)))
        work.move(Ref(ADDRESS, old), None)


def tracked(repository: Repository, remote: bytes) -> list[bytes]:
    """Return the bookmarks of a remote that were seen, in order of their names.

    A name may have an @ in it: what ends as two remotes are called is of the longer one.
    """
    end = b"@" + remote
    longer = [b"@" + name for name in repository.refs.names(ADDRESS) if name.endswith(end)]
    found = (name for name in repository.refs.names(REMOTE) if name.endswith(end))
    own = (name for name in found if not any(map(name.endswith, longer)))
    return sorted(name.removesuffix(end) for name in own)


def followers(repository: Repository, remote: bytes) -> list[tuple[bytes, Target]]:
    """Return one's own bookmarks that follow a remote, and what they hold."""
    everything = repository.refs.all(BOOKMARK)
    return [each for each in everything if dict(each[1].extra).get(UPSTREAM) == remote]
