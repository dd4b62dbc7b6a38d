"""A repository for others to reach over HTTP (spec: sync, SY70, SY75).

`application` is for one's own server too: any that speaks ASGI mounts what it returns.
"""

import os
from collections.abc import Callable
from contextlib import closing
from oxy.typed import TypeAlias

from oxy.actions.hosting import Hosted
from oxy.progress import Unwatched
from oxy.repo.place import home
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


def application(path: str | bytes, guard: Guard = read_only) -> Application:
    """Return the repository in a directory as an ASGI application.

    Args:
        path: the directory.
        guard: decides about each request.

    Raises:
        NoRepositoryError: there is none.
    """
    root = os.path.realpath(os.fsencode(path))

    def opens() -> closing[Hosted]:
        return closing(Hosted(root, b"serve", Unwatched()))

    with opens():
        control, _ = home(root)

    def admits(asking: Asking) -> Opens | int:
        status = guard(asking)
        return opens if status is None else status

    return Application(admits, control)
