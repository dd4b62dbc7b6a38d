"""Why a rewrite is refused; then nothing has changed (spec: states, S12)."""

import os
from collections.abc import Sequence

from oxy.errors import RequestError
from oxy.model.digest import short


class NeededError(RequestError):
    """A change would stand where changes that it depends on are not yet."""

    def __init__(self, change: bytes, needs: Sequence[bytes]) -> None:
        named = ", ".join(short(need) for need in needs)
        super().__init__(f"change {short(change)} depends on {named}")
        self.change = change
        self.needs = tuple(needs)


class LostPlaceError(RequestError):
    """What a change did to a file cannot be said of the file as it would be."""

    def __init__(self, change: bytes, path: bytes, why: str) -> None:
        super().__init__(
            f"change {short(change)} cannot be recorded anew for {os.fsdecode(path)}: {why}"
        )
        self.change = change
        self.path = path
        self.why = why


class UnsayableError(Exception):
    """Something cannot be said anew; `why` tells, for whoever knows the change and the path."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why
