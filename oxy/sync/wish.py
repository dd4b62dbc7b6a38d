"""What one side asks the other to let its names hold, and what becomes of it (spec: SY48)."""

from oxy.typed import Final, NamedTuple

from oxy.model.digest import ChangeId

UNSEEN: Final = 1
"""It holds what was not seen by the one who wishes."""

OTHER: Final = 2
"""It is a tag, and holds something else."""

ABSENT: Final = 3
"""There is none to delete."""

IN_USE: Final = 4
"""A working copy there is on it, so it is not deleted."""


NOT_SIGNED: Final = 5
"""It takes only what certain people signed, and not all of this is."""


NOT_ALLOWED: Final = 6
"""Who asks may not do that there."""

STOPPED: Final = 7
"""A program of its owner said no."""


class State(NamedTuple):
    """A state by the ids of its heads and of what is absent (S3)."""

    heads: tuple[ChangeId, ...]
    absent: tuple[ChangeId, ...] = ()


class Wish(NamedTuple):
    """What a name of the other side is to hold.

    Attributes:
        kind: a bookmark or a tag.
        name: which.
        goal: the state; None deletes it.
        seen: what of it was seen or taken last; None if nothing was.
        extra: fields of a tag that is new there.
    """

    kind: int
    name: bytes
    goal: State | None
    seen: State | None = None
    extra: tuple[tuple[bytes, bytes], ...] = ()


class Moved(NamedTuple):
    """A name of the other side that holds something else now: what it gained and lost.

    `was` tells what happened to it: one of MADE, MOVED and DELETED.
    """

    kind: int
    name: bytes
    was: int
    came: int
    went: int


MOVED: Final = 0
MADE: Final = 1
DELETED: Final = 2


class Refused(NamedTuple):
    """A name that was not moved, and why: one of the numbers above."""

    kind: int
    name: bytes
    why: int


class Taken(NamedTuple):
    """How many changes were new there, and what became of names; if any is refused, nothing."""

    came: int
    moved: tuple[Moved, ...]
    refused: tuple[Refused, ...] = ()
