"""What do status, checkouts, shelves and the manifest of a small working copy cost, beside git?

Commands are whole processes; `library` is the work without a start. Files have 21 lines. What
a checkout replaces is all files. The manifest is read and written in the library; git's index
by `git ls-files` and `git update-index --force-write-index`. Does not show: large trees
(bench `peers` does), cold disks.
"""

import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from bench.measuring.operation import Arm, Case, Place, Setting, run_cases
from bench.measuring.record import LIBRARY, OURS
from bench.measuring.source import git as plain_git
from bench.operations.programs import arm_of_git, arm_of_oxy, git, oxy, written
from bench.threshold.built import path_of, text_of
from oxy.actions.status import status
from oxy.worktree.listing import RECORD
from oxy.worktree.manifest import Manifest
from oxy.worktree.row import DIGEST_SIZE, KEY_SIZE, Entry, Row
from oxy.worktree.workcopy import working_copy

OLD: Final = 3_600
"""Seconds that files are old, so that nobody doubts their times."""
STATUS: Final = (100, 1_000)
CHECKOUT: Final = (10, 100)
MANIFEST: Final = (0, 100, 10_000, 100_000)
SECTIONS: Final = (1, 1_000)
A_DIRECTORY: Final = 100
_TENTH: Final = 10


def texts(count: int, version: int = 0) -> dict[str, bytes]:
    """Return files of 21 lines, in one of their versions."""
    return {path_of(at): text_of(at, version).encode() for at in range(count)}


class Copies:
    """A working copy of each system in a directory."""

    def __init__(self, top: str) -> None:
        self.oxy, self.git = os.path.join(top, "oxy"), os.path.join(top, "git")
        for path in (self.oxy, self.git):
            os.makedirs(path)
        oxy(self.oxy, "init")
        git(self.git, "init", "--quiet", "--initial-branch=main")

    def write(self, files: Mapping[str, bytes], age: int = 0) -> None:
        """Write files into both."""
        for top in (self.oxy, self.git):
            written(top, files, age=age)

    def commit(self, message: str) -> None:
        """Record everything in both."""
        oxy(self.oxy, "commit", "-m", message)
        git(self.git, "add", "--all")
        git(self.git, "commit", "--quiet", "-m", message)

    def name(self, name: str) -> None:
        """Give the newest state a name in both."""
        oxy(self.oxy, "bookmark", name)
        git(self.git, "branch", name)

    def arms(self, one: tuple[str, ...], other: tuple[str, ...]) -> dict[str, Arm]:
        """Return a command of each as arms."""
        return {OURS: arm_of_oxy(self.oxy, *one), "git": arm_of_git(self.git, *other)}


def statuses(place: Place) -> Iterator[Setting]:
    """Yield the status of few files, clean and with a tenth of them edited."""
    for full in STATUS:
        count = place.share(full, 10 + full // A_DIRECTORY)
        copies = Copies(place.path(f"{full}"))
        copies.write(texts(count), OLD)
        copies.commit("all")
        edited = dict(list(texts(count, 1).items())[::_TENTH])
        for state, files in (("clean", {}), ("a tenth edited", edited)):
            copies.write(files, OLD - _TENTH)
            arms = copies.arms(("status", "-s"), ("status", "--short"))
            arms[LIBRARY] = Arm(partial(_status, copies.oxy))
            check = partial(_shown, copies, set(files))
            yield Setting("status", state, {"files": count}, arms, check)


def _status(top: str) -> int:
    with working_copy(os.fsencode(top)) as copy:
        return len(status(copy).snapshot.changes)


def _shown(copies: Copies, edited: set[str]) -> None:
    for told in (oxy(copies.oxy, "status", "-s"), git(copies.git, "status", "--short")):
        assert {line.split()[-1].decode() for line in told.splitlines()} == edited
    assert _status(copies.oxy) == len(edited)


def checkouts(place: Place) -> Iterator[Setting]:
    """Yield switching to a state with files, from one without them and from other versions."""
    for full in CHECKOUT:
        count = place.share(full, full // _TENTH)
        copies = Copies(place.path(f"{full}"))
        states = {"none": {"first": b"\n"}, "one": texts(count), "two": texts(count, 1)}
        for name, files in states.items():
            copies.write(files)
            copies.commit(name)
            copies.name(name)
        for operation, start in (("check out, first", "none"), ("check out, replacing", "two")):
            arms = {
                OURS: Arm(
                    partial(oxy, copies.oxy, "switch", "one"),
                    partial(oxy, copies.oxy, "switch", start),
                ),
                "git": Arm(
                    partial(git, copies.git, "switch", "--quiet", "one"),
                    partial(git, copies.git, "switch", "--quiet", start),
                ),
            }
            check = partial(_held, copies, texts(count))
            yield Setting(operation, "", {"files": count}, arms, check)


def _held(copies: Copies, files: Mapping[str, bytes]) -> None:
    for top in (copies.oxy, copies.git):
        for path, data in files.items():
            with open(os.path.join(top, path), "rb") as file:
                assert file.read() == data


def shelves(place: Place) -> Iterator[Setting]:
    """Yield putting edits aside, and taking them up again."""
    count = place.share(100, 10)
    copies = Copies(place.top)
    copies.write(texts(count))
    copies.commit("all")
    edited = dict(list(texts(count, 1).items())[::_TENTH])
    sides = {OURS: copies.oxy, "git": copies.git}
    aside = {
        OURS: partial(oxy, copies.oxy, "shelve"),
        "git": partial(git, copies.git, "stash", "push", "--quiet"),
    }
    back = {
        OURS: partial(oxy, copies.oxy, "unshelve"),
        "git": partial(git, copies.git, "stash", "pop", "--quiet"),
    }
    sizes = {"files": count, "edited": len(edited)}
    arms = {
        name: Arm(aside[name], partial(written, top, edited)) for name, top in sides.items()
    }
    yield Setting("shelve", "", sizes, arms, partial(_held, copies, texts(count)))
    arms = {
        name: Arm(back[name], partial(_put_aside, top, edited, aside[name]))
        for name, top in sides.items()
    }
    yield Setting("unshelve", "", sizes, arms, partial(_held, copies, edited))


def _put_aside(top: str, edited: Mapping[str, bytes], aside: Callable[[], object]) -> None:
    written(top, edited)
    aside()


def manifests(place: Place) -> Iterator[Setting]:
    """Yield reading and writing what is remembered of the files of a working copy."""
    top = place.path("git")
    os.makedirs(top)
    git(top, "init", "--quiet")
    for full in MANIFEST:
        count = place.share(full, min(full, A_DIRECTORY + full // 1_000)) if full else 0
        path = os.fsencode(place.path(f"manifest{full}"))
        rows = _rows(count)
        Manifest(path).update(rows, (), b"state")
        lines = (f"100644 {at + 1:040x} 0\t{path_of(at)}\n" for at in range(count))
        git(top, "read-tree", "--empty")
        plain_git(top, "update-index", "--index-info", data="".join(lines).encode())
        sizes = {"files": count}
        arms = {
            LIBRARY: Arm(partial(Manifest.load, path), leaves=os.fsdecode(path)),
            "git": Arm(partial(git, top, "ls-files"), leaves=os.path.join(top, ".git/index")),
        }
        check = partial(_remembered, path, count)
        yield Setting("read a manifest", "", sizes, arms, check)
        arms = {
            LIBRARY: Arm(partial(_write, path, rows)),
            "git": arm_of_git(top, "update-index", "--force-write-index"),
        }
        yield Setting("write a manifest", "", sizes, arms, check)


def _write(path: bytes, rows: Sequence[Row]) -> None:
    Manifest(path).update(rows, (), b"state")


def _rows(count: int) -> list[Row]:
    numbers = random.Random(count)  # noqa: S311 - the same each time is what is wanted
    held: dict[bytes, list[Entry]] = {}
    for at in range(count):
        directory, _, name = path_of(at).encode().partition(b"/")
        marks = numbers.randbytes(KEY_SIZE), numbers.randbytes(DIGEST_SIZE)
        entry = Entry(name, numbers.randbytes(RECORD.size), *marks)
        held.setdefault(directory, []).append(entry)
    return [Row.of(path, entries, 1) for path, entries in held.items()]


def _remembered(path: bytes, count: int) -> None:
    manifest = Manifest.load(path)
    rows = [manifest.row(directory) for directory in manifest.directories()]
    assert sum(len(row.places()) for row in rows if row) == count


def configurations(place: Place) -> Iterator[Setting]:
    """Yield reading one setting of a small configuration and of one of many sections."""
    for full in SECTIONS:
        count = place.share(full)
        copies = Copies(place.path(f"{full}"))
        others = [f"r{at}" for at in range(count - 1)]
        ours = "".join(f'[remote.{each}]\nurl = "/{each}"\n' for each in others)
        theirs = "".join(f'[remote "{each}"]\nurl = /{each}\n' for each in others)
        _append(copies.oxy, ".oxy/config.toml", ours + '[user]\nname = "Ada"\n')
        _append(copies.git, ".git/config", theirs + "[user]\nname = Ada\n")
        yield Setting(
            "read a setting",
            "",
            {"sections": count},
            copies.arms(("config", "get", "user.name"), ("config", "user.name")),
        )


def _append(top: str, name: str, content: str) -> None:
    with open(os.path.join(top, name), "a", encoding="ascii") as file:
        file.write(content)


def timings(place: Place) -> Iterator[Setting]:
    """Yield a status that tells what it spent its time on, and one that does not."""
    count = place.share(100, 10)
    copies = Copies(place.top)
    copies.write(texts(count), OLD)
    copies.commit("all")
    told = partial(oxy, copies.oxy, "status", env={"OXY_TIMINGS": "1"})
    arms = {OURS: Arm(told), "oxy, untold": arm_of_oxy(copies.oxy, "status")}
    yield Setting("status with timings", "", {"files": count}, arms, against="oxy, untold")


CASES: Final = (
    Case("statuses", statuses),
    Case("checkouts", checkouts),
    Case("shelves", shelves),
    Case("manifests", manifests),
    Case("configurations", configurations),
    Case("timings", timings),
)


def main() -> None:
    """Print a row for each."""
    run_cases("copies", __doc__, CASES)


if __name__ == "__main__":
    main()
