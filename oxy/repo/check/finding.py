"""What fsck finds wrong (spec: store, ST26)."""

from oxy.typed import Final, NamedTuple

SEGMENT: Final = "segment"
OBJECT: Final = "object"
CHANGE: Final = "change"
ROW: Final = "row"
CACHE: Final = "cache"
NAME: Final = "name"
FILE: Final = "file"


class Finding(NamedTuple):
    """One thing that is wrong: in what, what, and the change and the file that it concerns."""

    area: str
    what: str
    change: bytes | None = None
    path: bytes | None = None
