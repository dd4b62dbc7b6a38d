"""What does importing a large pack cost, with one thread and with two, beside index-pack?

The pack holds one commit of many small files: 90,000 objects at full size. `git index-pack`
proves and indexes the pack, and no more; oxy reads every object through git, records the files
as a change with its state and its tree, and stores them anew: **not the same artifact**. Does
not show: deltas, histories (bench `import-git` does).
"""

import os
import shutil
from collections.abc import Iterator
from functools import partial
from subprocess import DEVNULL, run
from typing import Final

from bench.measuring.operation import Arm, Case, Place, Setting, run_cases
from bench.measuring.process import environment
from bench.measuring.record import OURS
from bench.measuring.source import git
from bench.operations.histgit import Commit, repository
from bench.operations.programs import oxy
from bench.threshold.built import path_of, text_of

OBJECTS: Final = 90_000
BESIDE: Final = 102
"""Objects that are no files: the commit, the root, and the trees of a hundred directories."""


class Imports:
    """A source of git with one pack, and places for what is made of it."""

    def __init__(self, top: str, files: int) -> None:
        self._top = top
        self._files = files
        self.source, self.pack = os.path.join(top, "source"), os.path.join(top, "pack")
        self.oxy, self.git = os.path.join(top, "oxy"), os.path.join(top, "git")
        made = {path_of(at): text_of(at).encode() for at in range(files)}
        repository(self.source, [Commit([], made)])
        git(self.source, "repack", "-adfq")
        told = git(self.source, "pack-objects", "--all", "--revs", "--stdout", "-q")
        with open(self.pack, "wb") as file:
            file.write(told)
        self.empty_git()

    def empty_oxy(self) -> None:
        """Remove what was imported."""
        shutil.rmtree(self.oxy, ignore_errors=True)

    def empty_git(self) -> None:
        """Begin anew with nothing in it."""
        shutil.rmtree(self.git, ignore_errors=True)
        os.makedirs(self.git)
        git(self.git, "init", "--bare", "--quiet")

    def to_oxy(self, processors: int) -> None:
        """Import on as many processors, which decide how many threads there are."""
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, sorted(before)[:processors])
        try:
            oxy(self._top, "git", "import", "--no-checkout", self.source, self.oxy)
        finally:
            os.sched_setaffinity(0, before)

    def to_git(self, threads: int) -> None:
        """Index the pack with as many threads."""
        with open(self.pack, "rb") as file:
            words = [
                "git",
                "-c",
                "core.fsync=all",
                "index-pack",
                f"--threads={threads}",
                "--stdin",
            ]
            run(words, cwd=self.git, env=environment(), stdin=file, stdout=DEVNULL, check=True)

    def check(self) -> None:
        """Assert that both have all of it."""
        told = git(self.git, "cat-file", "--batch-all-objects", "--batch-check")
        assert len(told.splitlines()) == self._files + BESIDE
        assert len(oxy(self.oxy, "files", "main").splitlines()) == self._files


def imports(place: Place) -> Iterator[Setting]:
    """Yield importing with one thread and with two."""
    files = place.share(OBJECTS, 400) - BESIDE
    made = Imports(place.path("all"), files)
    for threads in (1, 2):
        arms = {
            OURS: Arm(
                partial(made.to_oxy, threads), made.empty_oxy, os.path.join(made.oxy, ".oxy")
            ),
            "git": Arm(
                partial(made.to_git, threads), made.empty_git, os.path.join(made.git, "objects")
            ),
        }
        sizes = {"objects": files + BESIDE, "threads": threads}
        yield Setting("import a pack", "one commit", sizes, arms, made.check)


CASES: Final = (Case("imports", imports),)


def main() -> None:
    """Print a row for each."""
    run_cases("importing", __doc__, CASES)


if __name__ == "__main__":
    main()
