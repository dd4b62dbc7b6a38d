"""What Fossil calls the operations; it has no durability to ask for."""

from typing import Final

from bench.beside.operations import (
    BLAME,
    CHECK,
    CLEAN,
    CLONE,
    FIRST,
    FORGOTTEN,
    LOG,
    MERGE,
    MODIFIED,
    NAMED,
    OBJECTS,
    ONE,
    PICK,
    PULL,
    PULLED,
    SHOW,
    SWITCH,
    TEN,
    WIDE,
)
from bench.beside.system import Branching, System

COMMIT: Final = ("fossil", "commit", "--no-warnings", "--nosync", "-m")

FOSSIL: Final = System(
    "fossil",
    [
        ("fossil", "init", "--admin-user", "bench", "{top}.fossil"),
        ("fossil", "open", "--force", "--keep", "--user", "bench", "{top}.fossil"),
    ],
    {
        FIRST: [("fossil", "add", "."), (*COMMIT, "all")],
        CLEAN: [("fossil", "changes", "--differ")],
        MODIFIED: [("fossil", "changes", "--differ")],
        FORGOTTEN: [("fossil", "changes", "--differ", "--hash")],
        ONE: [(*COMMIT, "one")],
        TEN: [(*COMMIT, "ten")],
        LOG: [("fossil", "timeline", "-n", "0")],
        SHOW: [("fossil", "diff", "--checkin", "current")],
        BLAME: [("fossil", "blame", "{hot}")],
        SWITCH: [("fossil", "update", "prev"), ("fossil", "update", "tip")],
        CLONE: [
            ("fossil", "clone", "--nested", "{top}.fossil", "{other}.fossil"),
            ("fossil", "open", "--nested", "--workdir", "{other}", "{other}.fossil"),
        ],
        CHECK: [("fossil", "test-integrity", "-R", "{top}.fossil")],
        NAMED: [(*COMMIT, "one", "{path}")],
        OBJECTS: [("fossil", "export", "--git", "{top}.fossil")],
        WIDE: [("fossil", "update", "wide"), ("fossil", "update", "trunk")],
        PULL: [("fossil", "update", "--chdir", "{behind}")],
        PULLED: [("fossil", "update", "--chdir", "{behind}")],
        PICK: [("fossil", "merge", "--cherrypick", "topic"), (*COMMIT, "picked")],
        MERGE: [("fossil", "merge", "topic"), (*COMMIT, "merge")],
    },
    Branching(
        "trunk",
        [
            ("fossil", "branch", "new", "{name}", "{at}", "--nosign"),
            ("fossil", "update", "{name}"),
        ],
        [("fossil", "update", "{name}")],
    ),
)
