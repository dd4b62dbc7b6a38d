"""Git remotes: their names, and where they are (spec: git-bridge, GB50, GB51).

They share their names with oxy's own remotes, since what a remote's branch was last seen to
hold is called BRANCH@REMOTE in both cases.
"""

import os
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from blake3 import blake3

from oxy.actions.near import alike
from oxy.actions.remotes import ORIGIN, NoRemoteError, RemoteTakenError
from oxy.actions.remotes import remove as forget
from oxy.errors import RequestError
from oxy.repo.refname import check
from oxy.repo.refs import ADDRESS, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing

SCHEMES: Final = frozenset({b"file", b"git", b"http", b"https", b"ssh"})

_URL: Final = b"git:url"
_SCHEME: Final = re.compile(rb"([A-Za-z0-9+.-]+)://([^/]*)(.*)", re.DOTALL)
_HELPER: Final = re.compile(rb"[A-Za-z0-9+.-]*::")
_HOST: Final = re.compile(rb"([^/:]*):(.*)", re.DOTALL)
_SECRET: Final = re.compile(rb"(?<=://)([^/@:]*):[^/@]*(?=@)")
_CONTROL: Final = 0x20
_DELETE: Final = 0x7F


class AddressError(RequestError):
    """An address is none that a Git remote may have."""

    def __init__(self, url: bytes, rule: str) -> None:
        super().__init__(f"'{os.fsdecode(shown(url))}' is no address for a Git remote: {rule}")
        self.url = url
        self.rule = rule


class NoGitRemoteError(RequestError):
    """There is no Git remote, or more than one, and none is named."""

    def __init__(self) -> None:
        super().__init__("which Git remote? there is none, or more than one")


class GitRemote(NamedTuple):
    """A Git repository elsewhere: what it is called here, and where it is."""

    name: bytes
    url: bytes

    @property
    def space(self) -> bytes:
        """Where its refs are kept in the private repository; it follows from the address."""
        return b"refs/oxy/" + blake3(self.url).hexdigest()[:16].encode() + b"/"


def shown(url: bytes) -> bytes:
    """Return an address as it may be shown: without a password."""
    return _SECRET.sub(rb"\1:***", url)


def addressed(url: bytes) -> bytes:
    """Return the address of a remote as it is kept: a path is made whole.

    Raises:
        AddressError: git is not to be run with it.
    """
    rule = _refusal(url)
    if rule is not None:
        raise AddressError(url, rule)
    if _SCHEME.fullmatch(url) or _is_of_host(url):
        return url
    return os.path.abspath(url)


def _refusal(url: bytes) -> str | None:
    if not url or url.startswith(b"-"):
        return "it is empty, or begins with a dash"
    if any(byte < _CONTROL or byte == _DELETE for byte in url):
        return "it has a control character"
    if _HELPER.match(url):
        return "helpers for other transports are not run"
    found = _SCHEME.fullmatch(url)
    if found is None:
        return (
            _odd_host(url.partition(b":")[0], url.partition(b":")[2])
            if _is_of_host(url)
            else None
        )
    scheme, host, path = found.groups()
    if scheme.lower() not in SCHEMES:
        return (
            f"'{os.fsdecode(scheme)}' is none of {', '.join(sorted(map(os.fsdecode, SCHEMES)))}"
        )
    return None if scheme.lower() == b"file" else _odd_host(host, path.lstrip(b"/"))


def _is_of_host(url: bytes) -> bool:
    """Return whether an address is of the form HOST:PATH."""
    return _HOST.fullmatch(url) is not None and not os.path.lexists(url)


def _odd_host(host: bytes, path: bytes) -> str | None:
    name = host.rpartition(b"@")[2]
    if not name or name.startswith(b":"):
        return "it names no host"
    if host.startswith(b"-") or name.startswith(b"-") or path.startswith(b"-"):
        return "a user, host or path begins with a dash"
    return None


def remotes(repository: Repository) -> Iterator[GitRemote]:
    """Yield the Git remotes, in order of their names."""
    for name, target in repository.refs.all(ADDRESS):
        url = dict(target.extra).get(_URL)
        if url is not None:
            yield GitRemote(name, url)


def meant(repository: Repository, given: bytes | None) -> GitRemote:
    """Return the remote of a name, or the only one there is, or that which is called origin.

    Raises:
        NoGitRemoteError: none is given, and there is not one to be meant.
        NoRemoteError: none is called so.
    """
    known = {each.name: each for each in remotes(repository)}
    if given is None:
        found = next(iter(known.values())) if len(known) == 1 else known.get(ORIGIN)
        if found is None:
            raise NoGitRemoteError
        return found
    if given not in known:
        raise NoRemoteError(given, alike(given, list(known)))
    return known[given]


def add(repository: Repository, stamp: Stamp, name: bytes, url: bytes) -> GitRemote:
    """Call a Git repository by a name.

    Raises:
        AddressError: it can have no such address.
        RefNameError, NameFoldsError: it may not be called so.
        RemoteTakenError: another is called so.
    """
    names = repository.refs.names(ADDRESS)
    if name in names:
        raise RemoteTakenError(name)
    check(name, names)
    remote = GitRemote(name, addressed(url))
    with writing(repository, stamp) as work:
        work.move(Ref(ADDRESS, name), Target(Name(), ((_URL, remote.url),)))
    return remote


def remove(repository: Repository, stamp: Stamp, name: bytes) -> None:
    """Forget a Git remote, and what its branches were last seen to hold.

    Raises:
        NoRemoteError: none is called so.
    """
    meant(repository, name)
    forget(repository, stamp, name)
