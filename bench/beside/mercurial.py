"""What Mercurial calls the operations; it has no durability to ask for."""

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
    PATCHES,
    PICK,
    PICKS,
    PULL,
    PULLED,
    PUSH,
    PUSHED,
    SHOW,
    SWITCH,
    TEN,
    WIDE,
)
from bench.beside.system import Branching, System

HG: Final = ("hg", "--config", "ui.username=Bench <b@c>")

MERCURIAL: Final = System(
    "hg",
    [(*HG, "init")],
    {
        FIRST: [(*HG, "commit", "-A", "-q", "-m", "all")],
        CLEAN: [(*HG, "status")],
        MODIFIED: [(*HG, "status")],
        FORGOTTEN: [(*HG, "debugrebuilddirstate"), (*HG, "status")],
        ONE: [(*HG, "commit", "-m", "one")],
        TEN: [(*HG, "commit", "-m", "ten")],
        LOG: [(*HG, "log")],
        SHOW: [(*HG, "log", "-p", "-r", "tip")],
        BLAME: [(*HG, "annotate", "{hot}")],
        SWITCH: [
            (*HG, "update", "-q", "-r", "tip^"),
            (*HG, "update", "-q", "-r", "tip"),
        ],
        PUSH: [(*HG, "push", "-q", "{remote}")],
        PUSHED: [(*HG, "push", "-q", "{remote}")],
        CLONE: [(*HG, "clone", "-q", "--pull", "{top}", "{other}")],
        CHECK: [(*HG, "verify", "-q")],
        NAMED: [(*HG, "commit", "-m", "one", "{path}")],
        PATCHES: [(*HG, "log", "-p", "-l", "100")],
        OBJECTS: [(*HG, "bundle", "-q", "-a", "-t", "none-v2", "{scratch}")],
        COUNT: [(*HG, "log", "-r", "::.", "-T", "{{rev}}\n")],
        WIDE: [(*HG, "update", "-q", "wide"), (*HG, "update", "-q", "main")],
        PULL: [(*HG, "-R", "{behind}", "pull", "-q", "-u")],
        PULLED: [(*HG, "-R", "{behind}", "pull", "-q", "-u")],
        PICK: [(*HG, "graft", "-q", "-r", "topic")],
        PICKS: [(*HG, "graft", "-q", "-r", "only(topic, base)")],
        MERGE: [(*HG, "merge", "-q", "topic"), (*HG, "commit", "-m", "merge")],
        BOOKMARKS: [(*HG, "incoming", "-q", "-B", "{many}")],
    },
    Branching(
        "main",
        [(*HG, "update", "-q", "-r", "{at}"), (*HG, "bookmark", "{name}")],
        [(*HG, "update", "-q", "{name}")],
        [(*HG, "bookmark", "main")],
    ),
    remote=[(*HG, "init")],
    codes={PUSHED: (1,)},
)
