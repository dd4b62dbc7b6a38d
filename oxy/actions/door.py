"""Who is let in over HTTP: tokens, and how often (spec: sync, SY30, SY84)."""

import binascii
import os
import time
from oxy.typed import Final

from oxy.actions.access import Access, Rights, loaded, rights_of
from oxy.errors import StateError
from oxy.sync.web.application import Asking

UNKNOWN: Final = 401
FORBIDDEN: Final = 403
TOO_OFTEN: Final = 429
NOT_READY: Final = 503

_MINUTE: Final = 60.0
_KNOWN: Final = 4096
"""Most users and addresses whose questions are counted at a time."""

_LOOKS: Final = 1.0
"""Seconds for which the file is believed to be as it was."""


class Door:
    """Knows users by their tokens, as a file has them that is read again when it changed."""

    __slots__ = ("_counted", "_looked", "_path", "_record", "access")

    def __init__(self, path: bytes) -> None:
        """Read the file.

        Raises:
            NoAccessFileError, ConfigError: it is not there, or not of its form.
        """
        self._path = path
        self._record = _record(path)
        self._looked = time.monotonic()
        self._counted: dict[str, tuple[float, int]] = {}
        self.access: Access = loaded(path)

    def rights(self, asking: Asking) -> Rights | int:
        """Return what somebody may do who asks, or the status that refuses it.

        Cost: a digest; a stat of the file each second.
        """
        token = token_of(asking.authorization)
        try:
            found = self._known(token)
        except StateError:
            # Whoever may do what cannot be known, may do nothing.
            return NOT_READY
        if found is None:
            return UNKNOWN
        if self._is_too_often(found.user if token is not None else asking.client):
            return TOO_OFTEN
        if asking.takes and not found.writes:
            return UNKNOWN if token is None else FORBIDDEN
        return found

    def _known(self, token: str | None) -> Rights | None:
        """Return the rights of a token; new ones at once, those that went in a second."""
        self._look(time.monotonic() - _LOOKS)
        found = rights_of(self.access, token)
        if found is None:
            self._look(time.monotonic())
            found = rights_of(self.access, token)
        return found

    def _look(self, since: float) -> None:
        """Read the file again if it changed, unless it was looked at after a time."""
        if self._looked > since:
            return
        record = _record(self._path)
        if record != self._record:
            self.access = loaded(self._path)
            self._record = record
        self._looked = time.monotonic()

    def _is_too_often(self, who: str) -> bool:
        """Count a question; tell whether there were too many in this minute."""
        most = self.access.per_minute
        if most is None:
            return False
        now = time.monotonic()
        begun, count = self._counted.get(who, (now, 0))
        if now >= begun + _MINUTE:
            begun, count = now, 0
        if who not in self._counted and len(self._counted) >= _KNOWN:
            self._counted.clear()
        self._counted[who] = begun, count + 1
        return count >= most


def token_of(authorization: bytes | None) -> str | None:
    """Return the token of a header: of `Bearer` all of it, of `Basic` the password."""
    if authorization is None:
        return None
    scheme, _, rest = authorization.partition(b" ")
    if scheme.lower() == b"bearer":
        return os.fsdecode(rest.strip())
    if scheme.lower() != b"basic":
        return ""
    try:
        told = binascii.a2b_base64(rest.strip(), strict_mode=True)
    except ValueError:
        return ""
    return os.fsdecode(told.partition(b":")[2])


def _record(path: bytes) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino
