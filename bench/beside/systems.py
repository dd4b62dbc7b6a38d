"""The systems that are measured, and what each calls the operations.

All of them work on plain files in a directory of their own, with no configuration of the user.
Durability: oxy `safe`, Git with core.fsync=all; Mercurial and Fossil have none to ask for. Git
packs what it has after the first commit, not in the background and not in the clock.
"""

import shutil
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from bench.measuring.machine import SYSTEMS as COMMANDS
from bench.measuring.process import OXY

Command = Sequence[str]
"""The words of one process."""

_SAFE: Final = "core.fsync=all"
_UNTIDY: Final = "gc.auto=0"
_GIT: Final = (
    *("git", "-c", _SAFE, "-c", _UNTIDY),
    *("-c", "user.name=Bench", "-c", "user.email=b@c"),
)
_HG: Final = ("hg", "--config", "ui.username=Bench <b@c>")
_FOSSIL_COMMIT: Final = ("fossil", "commit", "--no-warnings", "--nosync", "-m")

FIRST: Final = "first commit"
CLEAN: Final = "status, clean"
MODIFIED: Final = "status, 10 modified"
FORGOTTEN: Final = "status, nothing remembered"
ONE: Final = "commit of one file"
TEN: Final = "commit of 10 files"
LOG: Final = "log of everything"
SHOW: Final = "diff of the last change"
BLAME: Final = "blame of a file"
SWITCH: Final = "switch across one change"
PUSH: Final = "push of everything"
PUSHED: Final = "push when up to date"
CLONE: Final = "clone with checkout"
CHECK: Final = "check"
PACK: Final = "pack"


class System(NamedTuple):
    """One system: what makes a repository of a directory, and the commands of each operation.

    An operation is a list of processes that do it together, or missing where the system has no
    such command. `{top}` in a word stands for the repository, `{other}` for one beside it that
    is not there yet, `{remote}` for an empty one, `{hot}` for the
    file that is looked at closely.

    Attributes:
        name: what it is called.
        setup: makes the repository.
        operations: the commands, by operation.
        remote: makes the empty repository; nothing where there is no such thing.
        tidy: brings a repository into the best state that the system has for it.
        forget: the files that tell which files were unchanged, relative to the repository.
        codes: exit codes that are as they should be, where 0 is not the only one.
    """

    name: str
    setup: Sequence[Command]
    operations: Mapping[str, Sequence[Command]]
    remote: Sequence[Command] = ()
    tidy: Sequence[Command] = ()
    forget: Sequence[str] = ()
    codes: Mapping[str, Sequence[int]] = {}


OPERATIONS: Final = (
    FIRST,
    CLEAN,
    MODIFIED,
    FORGOTTEN,
    ONE,
    TEN,
    LOG,
    SHOW,
    BLAME,
    SWITCH,
    PUSH,
    PUSHED,
    CLONE,
    CHECK,
    PACK,
)
"""In the order in which they are run."""

_OXY: Final = System(
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
    },
    remote=[(*OXY, "init")],
    forget=[".oxy/cache/manifest"],
)

_GIT_SYSTEM: Final = System(
    "git",
    [("git", "init", "-q", "-b", "main")],
    {
        FIRST: [(*_GIT, "add", "-A"), (*_GIT, "commit", "-qm", "all")],
        CLEAN: [(*_GIT, "status", "--porcelain")],
        MODIFIED: [(*_GIT, "status", "--porcelain")],
        FORGOTTEN: [(*_GIT, "reset", "-q"), (*_GIT, "status", "--porcelain")],
        ONE: [(*_GIT, "commit", "-qam", "one")],
        TEN: [(*_GIT, "commit", "-qam", "ten")],
        LOG: [(*_GIT, "log")],
        SHOW: [(*_GIT, "show")],
        BLAME: [(*_GIT, "blame", "{hot}")],
        SWITCH: [
            (*_GIT, "switch", "-q", "--detach", "HEAD~"),
            (*_GIT, "switch", "-q", "main"),
        ],
        PUSH: [(*_GIT, "push", "-q", "{remote}", "main")],
        PUSHED: [(*_GIT, "push", "-q", "{remote}", "main")],
        CLONE: [(*_GIT, "clone", "-q", "file://{top}", "{other}")],
        CHECK: [(*_GIT, "fsck", "--full")],
        PACK: [(*_GIT, "gc", "-q")],
    },
    remote=[
        ("git", "init", "-q", "--bare"),
        ("git", "config", *_SAFE.split("=")),
        ("git", "config", *_UNTIDY.split("=")),
    ],
    tidy=[("git", "gc", "-q")],
    forget=[".git/index"],
)

_HG_SYSTEM: Final = System(
    "hg",
    [(*_HG, "init")],
    {
        FIRST: [(*_HG, "commit", "-A", "-q", "-m", "all")],
        CLEAN: [(*_HG, "status")],
        MODIFIED: [(*_HG, "status")],
        FORGOTTEN: [(*_HG, "debugrebuilddirstate"), (*_HG, "status")],
        ONE: [(*_HG, "commit", "-m", "one")],
        TEN: [(*_HG, "commit", "-m", "ten")],
        LOG: [(*_HG, "log")],
        SHOW: [(*_HG, "log", "-p", "-r", "tip")],
        BLAME: [(*_HG, "annotate", "{hot}")],
        SWITCH: [
            (*_HG, "update", "-q", "-r", "tip^"),
            (*_HG, "update", "-q", "-r", "tip"),
        ],
        PUSH: [(*_HG, "push", "-q", "{remote}")],
        PUSHED: [(*_HG, "push", "-q", "{remote}")],
        CLONE: [(*_HG, "clone", "-q", "--pull", "{top}", "{other}")],
        CHECK: [(*_HG, "verify", "-q")],
    },
    remote=[(*_HG, "init")],
    codes={PUSHED: (1,)},
)

_FOSSIL: Final = System(
    "fossil",
    [
        ("fossil", "init", "--admin-user", "bench", "{top}.fossil"),
        ("fossil", "open", "--force", "--keep", "--user", "bench", "{top}.fossil"),
    ],
    {
        FIRST: [("fossil", "add", "."), (*_FOSSIL_COMMIT, "all")],
        CLEAN: [("fossil", "changes", "--differ")],
        MODIFIED: [("fossil", "changes", "--differ")],
        FORGOTTEN: [("fossil", "changes", "--differ", "--hash")],
        ONE: [(*_FOSSIL_COMMIT, "one")],
        TEN: [(*_FOSSIL_COMMIT, "ten")],
        LOG: [("fossil", "timeline", "-n", "0")],
        SHOW: [("fossil", "diff", "--checkin", "current")],
        BLAME: [("fossil", "blame", "{hot}")],
        SWITCH: [("fossil", "update", "prev"), ("fossil", "update", "tip")],
        CLONE: [
            ("fossil", "clone", "--nested", "{top}.fossil", "{other}.fossil"),
            ("fossil", "open", "--nested", "--workdir", "{other}", "{other}.fossil"),
        ],
        CHECK: [("fossil", "test-integrity", "-R", "{top}.fossil")],
    },
)

SYSTEMS: Final = (_OXY, _GIT_SYSTEM, _HG_SYSTEM, _FOSSIL)


def installed() -> list[System]:
    """Return the systems that there are on this machine; oxy is always there."""
    return [system for system in SYSTEMS if shutil.which(COMMANDS[system.name][0])]
