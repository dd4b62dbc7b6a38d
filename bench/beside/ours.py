"""What oxy calls the operations; it is durable as `safe` says."""

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
from bench.measuring.process import OXY

OURS: Final = System(
    "oxy",
    [(*OXY, "init")],
    {
        FIRST: [(*OXY, "commit", "-m", "all")],
        CLEAN: [(*OXY, "status")],
        MODIFIED: [(*OXY, "status")],
        FORGOTTEN: [(*OXY, "status")],
        ONE: [(*OXY, "commit", "-m", "one")],
        TEN: [(*OXY, "commit", "-m", "ten")],
        LOG: [(*OXY, "log")],
        SHOW: [(*OXY, "show", "@")],
        BLAME: [(*OXY, "blame", "{hot}")],
        SWITCH: [(*OXY, "switch", "before"), (*OXY, "switch", "main")],
        PUSH: [(*OXY, "push", "{remote}")],
        PUSHED: [(*OXY, "push", "{remote}")],
        CLONE: [(*OXY, "clone", "{top}", "{other}")],
        CHECK: [(*OXY, "fsck")],
        PACK: [(*OXY, "gc")],
        NAMED: [(*OXY, "commit", "-m", "one", "{path}")],
        PATCHES: [(*OXY, "log", "-p", "-n", "100")],
        OBJECTS: [(*OXY, "bundle", "create", "-")],
        COUNT: [(*OXY, "log", "--count")],
        REACHED: [(*OXY, "gc", "--dry-run")],
        WIDE: [(*OXY, "switch", "wide"), (*OXY, "switch", "main")],
        PULL: [(*OXY, "-C", "{behind}", "pull")],
        PULLED: [(*OXY, "-C", "{behind}", "pull")],
        PICK: [(*OXY, "pick", "topic")],
        PICKS: [
            (*OXY, "pick", *(f"topic~{number}" for number in reversed(range(1, 10))), "topic")
        ],
        MERGE: [(*OXY, "merge", "topic")],
        BOOKMARKS: [(*OXY, "fetch", "{many}")],
    },
    Branching("main", [(*OXY, "switch", "-c", "{name}", "{at}")], [(*OXY, "switch", "{name}")]),
    remote=[(*OXY, "init")],
    forget=[".oxy/cache/manifest"],
)
