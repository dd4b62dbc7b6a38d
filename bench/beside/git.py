"""What Git calls the operations.

It has core.fsync=all, packs what it has after the first commit, not in the background and not
in the clock, and counts with a commit graph and bitmaps.
"""

from typing import Final

from bench.beside.operations import (
    BLAME,
    BOOKMARKS,
    CHECK,
    CLEAN,
    CLONE,
    COUNT,
    FIRST,
    FORGOTTEN,
    LOG,
    MERGE,
    MODIFIED,
    NAMED,
    OBJECTS,
    ONE,
    PACK,
    PATCHES,
    PICK,
    PICKS,
    PULL,
    PULLED,
    PUSH,
    PUSHED,
    REACHED,
    SHOW,
    SWITCH,
    TEN,
    WIDE,
)
from bench.beside.system import Branching, System

_SAFE: Final = "core.fsync=all"
_UNTIDY: Final = "gc.auto=0"
GIT: Final = (
    *("git", "-c", _SAFE, "-c", _UNTIDY),
    *("-c", "user.name=Bench", "-c", "user.email=b@c"),
)
_BITMAPS: Final = [
    (*GIT, "repack", "-qadb"),
    (*GIT, "commit-graph", "write", "--reachable", "--no-progress"),
]

PEER: Final = System(
    "git",
    [("git", "init", "-q", "-b", "main")],
    {
        FIRST: [(*GIT, "add", "-A"), (*GIT, "commit", "-qm", "all")],
        CLEAN: [(*GIT, "status", "--porcelain")],
        MODIFIED: [(*GIT, "status", "--porcelain")],
        FORGOTTEN: [(*GIT, "reset", "-q"), (*GIT, "status", "--porcelain")],
        ONE: [(*GIT, "commit", "-qam", "one")],
        TEN: [(*GIT, "commit", "-qam", "ten")],
        LOG: [(*GIT, "log")],
        SHOW: [(*GIT, "show")],
        BLAME: [(*GIT, "blame", "{hot}")],
        SWITCH: [
            (*GIT, "switch", "-q", "--detach", "HEAD~"),
            (*GIT, "switch", "-q", "main"),
        ],
        PUSH: [(*GIT, "push", "-q", "{remote}", "main")],
        PUSHED: [(*GIT, "push", "-q", "{remote}", "main")],
        CLONE: [(*GIT, "clone", "-q", "file://{top}", "{other}")],
        CHECK: [(*GIT, "fsck", "--full")],
        PACK: [(*GIT, "gc", "-q")],
        NAMED: [(*GIT, "commit", "-qm", "one", "{path}")],
        PATCHES: [(*GIT, "log", "-p", "-100")],
        OBJECTS: [
            (*GIT, "cat-file", "--batch-all-objects", "--batch", "--unordered", "--buffer")
        ],
        COUNT: [(*GIT, "rev-list", "--count", "main")],
        REACHED: [(*GIT, "rev-list", "--count", "--objects", "--use-bitmap-index", "--all")],
        WIDE: [(*GIT, "switch", "-q", "wide"), (*GIT, "switch", "-q", "main")],
        PULL: [(*GIT, "-C", "{behind}", "pull", "-q", "--ff-only")],
        PULLED: [(*GIT, "-C", "{behind}", "pull", "-q", "--ff-only")],
        PICK: [(*GIT, "cherry-pick", "topic")],
        PICKS: [(*GIT, "cherry-pick", "base..topic")],
        MERGE: [(*GIT, "merge", "-q", "--no-edit", "topic")],
        BOOKMARKS: [(*GIT, "ls-remote", "--heads", "{many}")],
    },
    Branching(
        "main",
        [(*GIT, "switch", "-q", "-c", "{name}", "{at}")],
        [(*GIT, "switch", "-q", "{name}")],
    ),
    remote=[
        ("git", "init", "-q", "--bare"),
        ("git", "config", *_SAFE.split("=")),
        ("git", "config", *_UNTIDY.split("=")),
    ],
    tidy=[("git", "gc", "-q")],
    forget=[".git/index"],
    ready={COUNT: _BITMAPS, REACHED: _BITMAPS},
)
