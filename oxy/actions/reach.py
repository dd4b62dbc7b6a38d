"""Reach another repository: here, through the user's ssh, or over HTTP (spec: sync, SY16)."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager

from oxy.actions.config import text, words
from oxy.actions.remotes import Remote
from oxy.errors import RequestError
from oxy.progress import Progress
from oxy.sync.address import is_far
from oxy.sync.talk import Host

# Each way is loaded where it is gone, and none of the others.


class ItselfError(RequestError):
    """A repository is to exchange with itself."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is this repository itself")
        self.path = path


@contextmanager
def reached(
    remote: Remote, root: bytes | None, command: bytes, progress: Progress
) -> Iterator[Host]:
    """Speak with another repository until the block ends.

    Args:
        remote: which.
        root: the directory of one's own, if there is one.
        command: what the operation log of the other says, where it is on this machine.
        progress: told of each object that it takes in, where it is on this machine.

    Raises:
        NoRepositoryError: there is none in that directory.
        ItselfError: it is one's own.
        NoProgramError: ssh cannot be run.
        UnreachableError, CertificateError, ProxyError, TokensError: a server cannot be asked.
        LostError: the connection was lost, in any use of it.
        RefusedThereError, NotReadyThereError, DamagedThereError: what the other side says.
    """
    if is_far(remote.address):
        with _far(remote.address) as host:
            yield host
        return
    if root is not None and os.path.realpath(root) == os.path.realpath(remote.address):
        raise ItselfError(remote.address)
    from oxy.actions.hosting import Hosted

    with closing(Hosted(remote.address, command, progress)) as hosted:
        yield hosted


@contextmanager
def _far(address: bytes) -> Iterator[Host]:
    from oxy.sync.address import Web, command, parse
    from oxy.sync.talk import Far

    where = parse(address)
    if isinstance(where, Web):
        from oxy.actions.credentials import authorization
        from oxy.sync.web.asker import asking
        from oxy.sync.web.proxy import proxy_for

        with asking(where, authorization(where), proxy_for) as carry:
            yield Far(carry)
        return
    from oxy.sync.ssh import connected

    behind = command(where, os.fsencode(text(None, "ssh.oxy") or "oxy"))
    with connected([*_program(), *map(os.fsdecode, behind)]) as carry:
        yield Far(carry)


def _program() -> list[str]:
    """Return the program that connects, and the words that the user wants with it."""
    given = os.environ.get("OXY_SSH")
    if not given:
        return words(None, "ssh.command") or ["ssh"]
    import shlex

    return shlex.split(given) or ["ssh"]
