"""A repository for others to reach over HTTP (spec: sync, SY70, SY75).

`application` is for one's own server too: any that speaks ASGI mounts what it returns.
"""

import os
from collections.abc import Callable
from contextlib import closing
from oxy.typed import TypeAlias

from oxy.actions.access import FILE
from oxy.actions.admitting import Admitted
from oxy.actions.door import Door
from oxy.actions.hosting import Hosted, Watch
from oxy.progress import Unwatched
from oxy.repo.place import home
from oxy.sync import limits
from oxy.sync.web.application import Application, Asking
from oxy.sync.web.exchange import Opens

Guard: TypeAlias = Callable[[Asking], int | None]
"""Tells with which status a request is refused: 401, 403, or none. It is quick (SY75)."""


def read_only(asking: Asking) -> int | None:
    """Let everybody read, and nobody push."""
    return 403 if asking.takes else None


def everybody(_asking: Asking) -> int | None:
    """Let everybody read and push."""
    return None


def application(
    path: str | bytes, guard: Guard = read_only, watch: Watch | None = None
) -> Application:
    """Return the repository in a directory as an ASGI application.

    Args:
        path: the directory.
        guard: decides about each request.
        watch: asked before something is taken in, and told after.

    Raises:
        NoRepositoryError: there is none.
    """
    root, control = _served(path)

    def opens() -> closing[Hosted]:
        return closing(Hosted(root, b"serve", Unwatched(), None, watch))

    def admits(asking: Asking) -> Opens | int:
        status = guard(asking)
        return opens if status is None else status

    return Application(admits, control)


def guarded(
    path: str | bytes, access_file: str | bytes | None = None, watch: Watch | None = None
) -> Application:
    """Return the repository in a directory as an ASGI application that knows its users.

    Args:
        path: the directory.
        access_file: who may do what (SY84); `.oxy/access.toml` if it is not named. It is read
            again when it has changed.
        watch: asked before something is taken in, and told after.

    Raises:
        NoRepositoryError: there is none.
        NoAccessFileError, ConfigError: nobody may do anything.
    """
    root, control = _served(path)
    file = os.path.join(control, FILE) if access_file is None else os.fsencode(access_file)
    door = Door(file)

    def admits(asking: Asking) -> Opens | int:
        rights = door.rights(asking)
        if isinstance(rights, int):
            return rights
        user = os.fsencode(rights.user)
        return lambda: closing(
            Admitted(Hosted(root, b"serve", Unwatched(), user, watch), rights)
        )

    return Application(admits, control, most=door.access.most or limits.TAKEN)


def _served(path: str | bytes) -> tuple[bytes, bytes]:
    """Return the directory of a repository that is there, and its `.oxy`."""
    root = os.path.realpath(os.fsencode(path))
    with closing(Hosted(root, b"serve", Unwatched())):
        control, _ = home(root)
    return root, control
