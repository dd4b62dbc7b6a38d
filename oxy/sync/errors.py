"""Why what another repository sent or asked is refused (spec: sync, SY6; threat-model, T5)."""

import os

from oxy.errors import CorruptionError, RequestError
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
