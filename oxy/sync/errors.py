"""Why what another repository sent or asked is refused (spec: sync, SY6; threat-model, T5)."""

import os

from oxy.errors import CorruptionError, RequestError, StateError
from oxy.store.errors import called


class RefusedObjectError(CorruptionError):
    """An object that was received breaks a rule; nothing of the transfer is kept."""

    def __init__(self, kind: int, object_id: bytes, rule: str) -> None:
        super().__init__(
            f"{called(kind, object_id)} is refused, and all that came with it: {rule}"
        )
        self.kind = kind
        self.object_id = object_id
        self.rule = rule


class RefusedTransferError(CorruptionError):
    """What was received is no whole transfer; nothing of it is kept."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"what was received is refused: {rule}")
        self.rule = rule


class RefusedNameError(CorruptionError):
    """A name that was received breaks a rule; nothing of the transfer is kept."""

    def __init__(self, name: bytes, rule: str) -> None:
        super().__init__(
            f"the name '{os.fsdecode(name)}' is refused, and all that came with it: {rule}"
        )
        self.name = name
        self.rule = rule


class NotStoredError(RequestError):
    """A change is asked for that is not there."""

    def __init__(self, change: bytes) -> None:
        super().__init__(f"change {change.hex()} is asked for, and not here")
        self.change = change


class LostError(StateError):
    """The other side is gone, or silent for too long; what came whole may be kept."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the connection was lost: {why}")
        self.why = why


class GoneError(LostError):
    """The other side takes nothing any more; it may have said why."""


class RefusedThereError(RequestError):
    """The other side refuses what was asked, in its own words."""

    def __init__(self, words: str) -> None:
        super().__init__(f"the other side says: {words}")
        self.words = words


class NotReadyThereError(StateError):
    """The other side cannot do what was asked now, in its own words."""

    def __init__(self, words: str) -> None:
        super().__init__(f"the other side says: {words}")
        self.words = words


class DamagedThereError(CorruptionError):
    """Something is corrupt, as the other side finds, in its own words."""

    def __init__(self, words: str) -> None:
        super().__init__(f"the other side says: {words}")
        self.words = words
