"""Reach another repository: here, by ssh, over HTTP, in a bucket (spec: sync, SY16)."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager

from oxy.actions.config import text, words
from oxy.actions.remotes import Remote
from oxy.errors import RequestError
from oxy.progress import Progress
from oxy.repo.place import CONTROL
from oxy.repo.repository import Repository
from oxy.sync import limits
from oxy.sync.address import Web, is_far
from oxy.sync.published import HEADS
from oxy.sync.talk import Host

# Each way is loaded where it is gone, and none of the others.


class ItselfError(RequestError):
    """A repository is to exchange with itself."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is this repository itself")
        self.path = path


class SilenceError(RequestError):
    """The setting of the silence is no number of seconds."""

    def __init__(self, value: str) -> None:
        super().__init__(f"sync.silence is '{value}', and not a number of seconds above 0")
        self.value = value


def silence() -> float:
    """Return for how many seconds another machine may say nothing (SY19, SY64).

    Raises:
        SilenceError: what is set is no such number.
    """
    given = text(None, "sync.silence")
    if given is None:
        return limits.SILENCE
    if not given.isascii() or not given.isdigit() or int(given) == 0:
        raise SilenceError(given)
    return int(given)


@contextmanager
def reached(
    remote: Remote,
    root: bytes | None,
    command: bytes,
    progress: Progress,
    repository: Repository | None = None,
) -> Iterator[Host]:
    """Speak with another repository until the block ends.

    Args:
        remote: which.
        root: the directory of one's own, if there is one.
        command: what the operation log of the other says, where it is on this machine.
        progress: told of each object that it takes in, where it is on this machine.
        repository: one's own, where something is pushed: a bucket judges nothing itself.

    Raises:
        NoRepositoryError: there is none in that directory.
        ItselfError: it is one's own.
        NoProgramError: ssh cannot be run.
        UnreachableError, CertificateError, ProxyError, TokensError: a server cannot be asked.
        NoBucketError, DeniedError, NoClientError: a bucket cannot be used.
        LostError: the connection was lost, in any use of it.
        RefusedThereError, NotReadyThereError, DamagedThereError: what the other side says.
    """
    if is_far(remote.address):
        with _far(remote.address, repository) as host:
            yield host
        return
    if root is not None and os.path.realpath(root) == os.path.realpath(remote.address):
        raise ItselfError(remote.address)
    published = _published(remote.address)
    if published is not None:
        yield published
        return
    from oxy.actions.hosting import Hosted

    with closing(Hosted(remote.address, command, progress)) as hosted:
        yield hosted


def _published(directory: bytes) -> Host | None:
    """Return what is published as files in a directory that is no repository itself."""
    is_there = os.path.isfile(os.path.join(directory, os.fsencode(HEADS)))
    if not is_there or os.path.isdir(os.path.join(directory, CONTROL)):
        return None
    from oxy.sync.folder import Folder
    from oxy.sync.shelf import shelf

    return shelf(Folder(directory).get)


@contextmanager
def _over_http(where: Web) -> Iterator[Host]:
    """Speak with what answers there, or read what is published there as files."""
    from oxy.actions.credentials import authorization
    from oxy.sync.talk import Far
    from oxy.sync.web.asker import asking
    from oxy.sync.web.errors import NotAllowedError, NotServedError
    from oxy.sync.web.proxy import proxy_for

    who = authorization(where)
    with asking(where, who, proxy_for, silence()) as carry:
        host: Host = Far(carry)
        try:
            # The first question tells: files answer none.
            host.refs()
        except (NotServedError, NotAllowedError):
            from oxy.sync.shelf import shelf
            from oxy.sync.webfiles import WebFiles

            files = shelf(WebFiles(str(where), silence(), who).get)
            if files is None:
                raise
            host = files
        yield host


@contextmanager
def _far(address: bytes, repository: Repository | None) -> Iterator[Host]:
    from oxy.sync.address import Store, command, parse

    where = parse(address)
    if isinstance(where, Web):
        with _over_http(where) as host:
            yield host
        return
    if isinstance(where, Store):
        from oxy.sync.bucket.bucket import Bucket
        from oxy.sync.bucket.place import objects_at

        yield Bucket(objects_at(where), repository)
        return
    from oxy.sync.ssh import connected
    from oxy.sync.talk import Far

    behind = command(where, os.fsencode(text(None, "ssh.oxy") or "oxy"))
    with connected([*_program(), *map(os.fsdecode, behind)], silence()) as carry:
        yield Far(carry)


def _program() -> list[str]:
    """Return the program that connects, and the words that the user wants with it."""
    given = os.environ.get("OXY_SSH")
    if not given:
        return words(None, "ssh.command") or ["ssh"]
    import shlex

    return shlex.split(given) or ["ssh"]
