"""The systems that are measured, and what each calls the operations.

All of them work on plain files in a directory of their own, with no configuration of the user.
"""

import os
import shutil
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from bench.measuring.process import OXY, watched

Command = Sequence[str]
"""The words of one process."""

_GIT: Final = ("git", "-c", "core.fsync=all", "-c", "user.name=Bench", "-c", "user.email=b@c")
_HG: Final = ("hg", "--config", "ui.username=Bench <b@c>", "--config", "extensions.purge=")


class System(NamedTuple):
    """One system: what makes a repository of a directory, and the commands of each operation.

    An operation is a list of processes that do it together, or missing where the system has no
    such command. `{other}` in a word stands for a directory beside the repository, `{file}` for
    the file that was edited last, `{hot}` for the one that is edited often.
    """

    name: str
    setup: Callable[[str], None]
    operations: dict[str, Sequence[Command]]
    version: Command


def _once(*commands: Command) -> Callable[[str], None]:
    def setup(top: str) -> None:
        for command in commands:
            watched([word.format(top=top) for word in command], top)

    return setup


OPERATIONS: Final = (
    "first commit",
    "status, clean",
    "status, 10 modified",
    "commit of one file",
    "commit of 10 files",
    "log of everything",
    "diff of the last change",
    "blame of a file",
    "blame of the hot file",
    "switch across one change",
    "clone with checkout",
    "check",
)
"""In the order in which they are run."""

_OXY: Final = System(
    "oxy",
    _once((*OXY, "init")),
    {
        "first commit": [(*OXY, "commit", "-m", "all")],
        "status, clean": [(*OXY, "status")],
        "status, 10 modified": [(*OXY, "status")],
        "commit of one file": [(*OXY, "commit", "-m", "one")],
        "commit of 10 files": [(*OXY, "commit", "-m", "ten")],
        "log of everything": [(*OXY, "log")],
        "diff of the last change": [(*OXY, "show", "@")],
        "blame of a file": [(*OXY, "blame", "{file}")],
        "blame of the hot file": [(*OXY, "blame", "{hot}")],
        "switch across one change": [(*OXY, "switch", "before"), (*OXY, "switch", "main")],
        "check": [(*OXY, "fsck")],
    },
    (*OXY, "version"),
)

_GIT_SYSTEM: Final = System(
    "git",
    _once(("git", "init", "-q", "-b", "main")),
    {
        "first commit": [(*_GIT, "add", "-A"), (*_GIT, "commit", "-qm", "all")],
        "status, clean": [(*_GIT, "status", "--porcelain")],
        "status, 10 modified": [(*_GIT, "status", "--porcelain")],
        "commit of one file": [(*_GIT, "commit", "-qam", "one")],
        "commit of 10 files": [(*_GIT, "commit", "-qam", "ten")],
        "log of everything": [(*_GIT, "log")],
        "diff of the last change": [(*_GIT, "show")],
        "blame of a file": [(*_GIT, "blame", "{file}")],
        "blame of the hot file": [(*_GIT, "blame", "{hot}")],
        "switch across one change": [
            (*_GIT, "switch", "-q", "--detach", "HEAD~"),
            (*_GIT, "switch", "-q", "main"),
        ],
        "clone with checkout": [(*_GIT, "clone", "-q", "file://{top}", "{other}")],
        "check": [(*_GIT, "fsck", "--full")],
    },
    ("git", "version"),
)

_HG_SYSTEM: Final = System(
    "hg",
    _once((*_HG, "init")),
    {
        "first commit": [(*_HG, "commit", "-A", "-q", "-m", "all")],
        "status, clean": [(*_HG, "status")],
        "status, 10 modified": [(*_HG, "status")],
        "commit of one file": [(*_HG, "commit", "-m", "one")],
        "commit of 10 files": [(*_HG, "commit", "-m", "ten")],
        "log of everything": [(*_HG, "log")],
        "diff of the last change": [(*_HG, "log", "-p", "-r", "tip")],
        "blame of a file": [(*_HG, "annotate", "{file}")],
        "blame of the hot file": [(*_HG, "annotate", "{hot}")],
        "switch across one change": [
            (*_HG, "update", "-q", "-r", "tip^"),
            (*_HG, "update", "-q", "-r", "tip"),
        ],
        "clone with checkout": [(*_HG, "clone", "-q", "--pull", "{top}", "{other}")],
        "check": [(*_HG, "verify", "-q")],
    },
    ("hg", "version", "-q"),
)

_FOSSIL: Final = System(
    "fossil",
    _once(
        ("fossil", "init", "--admin-user", "bench", "{top}.fossil"),
        ("fossil", "open", "--force", "--keep", "--user", "bench", "{top}.fossil"),
    ),
    {
        "first commit": [
            ("fossil", "add", "."),
            ("fossil", "commit", "-m", "all", "--no-warnings", "--nosync"),
        ],
        "status, clean": [("fossil", "changes", "--differ")],
        "status, 10 modified": [("fossil", "changes", "--differ")],
        "commit of one file": [("fossil", "commit", "-m", "one", "--no-warnings", "--nosync")],
        "commit of 10 files": [("fossil", "commit", "-m", "ten", "--no-warnings", "--nosync")],
        "log of everything": [("fossil", "timeline", "-n", "0")],
        "diff of the last change": [("fossil", "diff", "--checkin", "current")],
        "blame of a file": [("fossil", "blame", "{file}")],
        "blame of the hot file": [("fossil", "blame", "{hot}")],
        "switch across one change": [("fossil", "update", "prev"), ("fossil", "update", "tip")],
        "clone with checkout": [
            ("fossil", "clone", "--nested", "{top}.fossil", "{other}.fossil"),
            ("fossil", "open", "--nested", "--workdir", "{other}", "{other}.fossil"),
        ],
        "check": [("fossil", "test-integrity", "-R", "{top}.fossil")],
    },
    ("fossil", "version"),
)

SYSTEMS: Final = (_OXY, _GIT_SYSTEM, _HG_SYSTEM, _FOSSIL)


def installed() -> list[System]:
    """Return the systems that there are on this machine; oxy is always there."""
    return [system for system in SYSTEMS if shutil.which(system.version[0])]


def version_of(system: System) -> str:
    """Return what a system says that it is, in one line."""
    said = watched(system.version, os.getcwd()).output
    return said.decode(errors="replace").splitlines()[0].strip()
