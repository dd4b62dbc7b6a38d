"""What is measured beside the peers, by name, in the order in which it is run.

Those that need branches, a clone that is behind, or many names come last: these are made for
them.
"""

from typing import Final

FIRST: Final = "first commit"
CLEAN: Final = "status, clean"
MODIFIED: Final = "status, 10 modified"
FORGOTTEN: Final = "status, nothing remembered"
ONE: Final = "commit of one file"
NAMED: Final = "commit of one named file"
TEN: Final = "commit of 10 files"
LOG: Final = "log of everything"
PATCHES: Final = "log of 100 with patches"
SHOW: Final = "diff of the last change"
BLAME: Final = "blame of a file"
SWITCH: Final = "switch across one change"
PUSH: Final = "push of everything"
PUSHED: Final = "push when up to date"
CLONE: Final = "clone with checkout"
CHECK: Final = "check"
PACK: Final = "pack"
OBJECTS: Final = "all objects read"
COUNT: Final = "count of all changes"
REACHED: Final = "all that is reachable found"
WIDE: Final = "switch across a tenth of the files"
PULL: Final = "pull of one change"
PULLED: Final = "pull when up to date"
PICK: Final = "pick of one change"
PICKS: Final = "pick of 10 changes"
MERGE: Final = "merge of 10 changes"
BOOKMARKS: Final = "10,000 remote bookmarks listed"

OPERATIONS: Final = (
    FIRST,
    CLEAN,
    MODIFIED,
    FORGOTTEN,
    ONE,
    NAMED,
    TEN,
    LOG,
    PATCHES,
    SHOW,
    BLAME,
    SWITCH,
    PUSH,
    PUSHED,
    CLONE,
    CHECK,
    PACK,
    OBJECTS,
    COUNT,
    REACHED,
    WIDE,
    PULL,
    PULLED,
    PICK,
    PICKS,
    MERGE,
    BOOKMARKS,
)
"""In the order in which they are run."""

BRANCHED: Final = frozenset({WIDE, PULL, PULLED, PICK, PICKS, MERGE})
"""What needs branches; `run` makes them once."""
TAKING: Final = frozenset({PICK, PICKS, MERGE})
"""What takes from a branch, on a new one each time."""
FLAT: Final = frozenset(
    {NAMED, LOG, PATCHES, SHOW, BLAME, SWITCH, PUSHED, COUNT, PULL, PULLED, PICK, PICKS, MERGE}
    | {BOOKMARKS}
)
"""What need not grow with the files that nobody touched (spec: budget, B3)."""
