"""What time it is, and who does what: the stamp of an operation (spec: states, S24)."""

from __future__ import annotations

import os
import time

from oxy.repo.writing import Stamp


def now() -> tuple[int, int]:
    """Return the time: microseconds since the epoch, and the offset from UTC in minutes."""
    nanoseconds = time.time_ns()
    offset = time.localtime(nanoseconds // 1_000_000_000).tm_gmtoff
    return nanoseconds // 1000, offset // 60


def user() -> bytes:
    """Return who runs this, for the operation log: the login name, else the user's number."""
    name = os.environ.get("LOGNAME") or os.environ.get("USER") or str(os.getuid())
    return os.fsencode(name)


def stamp(command: str, undoes: int | None = None) -> Stamp:
    """Return the stamp of an operation that happens now."""
    return Stamp(*now(), user(), os.fsencode(command), undoes)
