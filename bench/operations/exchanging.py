"""What do clones and pulls of few objects cost over each way, and of nothing, beside git?

Objects are git's count: 6 commits of a file, and 86, with a blob more. *memory* is one
repository in memory receiving from another, in the library, which git does not have. The ssh
is a stand-in that runs the command here: no network, no encryption. *http* is `oxy serve
--http` beside `git http-backend`, run by a server in the bench. Does not show: networks, TLS,
large transfers (bench `serving` does).
"""

import os
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from itertools import count
from typing import Final, NamedTuple

from bench.measuring.arriving import UNWATCHED
from bench.measuring.backend import git_served, oxy_served
from bench.measuring.operation import Arm, Case, Place, Setting, run_cases
from bench.measuring.process import OXY
from bench.measuring.record import LIBRARY, OURS
from bench.measuring.source import git as plain_git
from bench.operations.histgit import Commit, repository
from bench.operations.programs import NONE, git, oxy
from oxy.model.digest import ChangeId
from oxy.repo.refs import BOOKMARK, Ref, Target, set_ref
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import CHANGE
from oxy.sync.endpoint import Stored, holds_none
from oxy.sync.receiving import receive
from tests.builders.scribe import File, Scribe

COMMITS: Final = (6, 86)
BOOKMARKS: Final = 10_000
STAMP: Final = Stamp(1, 0, b"bench", b"exchange")
SSH: Final = """#!/bin/sh
for last in "$@"; do :; done
PATH="${0%/*}:$PATH" exec sh -c "$last"
"""


class Way(NamedTuple):
    """How both sides are reached: what stands before a path, and what the environment says."""

    ours: str
    theirs: str
    env: Mapping[str, str] = NONE


def history(size: int) -> list[Commit]:
    """Return commits of one file, and another in the first."""
    commits = [
        Commit([number - 1] if number else [], {"a": b"version %d\n" % number})
        for number in range(size)
    ]
    return [commits[0]._replace(files={**commits[0].files, "b": b"b\n"}), *commits[1:]]


def record(oxy_: Repository, commits: list[Commit]) -> Scribe:
    """Record the same in a repository of oxy."""
    scribe = Scribe(oxy_)
    state = Name()
    for commit in commits:
        files = {path.encode(): File(data) for path, data in commit.files.items()}
        state = Name((scribe.commit(state, files).number,))
    return scribe


class Sides:
    """A source of each system, clones of it that lack its last commit, and such that do not."""

    def __init__(self, top: str, size: int) -> None:
        self.top = top
        self.commits = history(size)
        self.sources = os.path.join(top, "sources")
        self.ours, self.theirs = (os.path.join(self.sources, each) for each in ("oxy", "git"))
        self._turn = count()
        for name, commits in (("behind", self.commits[:-1]), ("even", self.commits)):
            self._make(commits)
            oxy(top, "clone", self.ours, self.path(OURS, name))
            git(top, "clone", "--quiet", "--no-local", self.theirs, self.path("git", name))

    def _make(self, commits: list[Commit]) -> None:
        shutil.rmtree(self.sources, ignore_errors=True)
        os.makedirs(self.ours)
        made = Repository.create(os.fsencode(self.ours), "fast")
        record(made, commits)
        made.close()
        repository(self.theirs, commits)

    def path(self, system: str, name: str) -> str:
        """Return where a clone is."""
        return os.path.join(self.top, f"{system}-{name}")

    def fresh(self, system: str, name: str) -> None:
        """Make a copy of a clone as what is to be pulled into, or nothing for a new one."""
        there = self.path(system, "there")
        shutil.rmtree(there, ignore_errors=True)
        if name != "nothing":
            shutil.copytree(self.path(system, name), there, symlinks=True)

    def clone(self, system: str, way: Way) -> None:
        """Clone the source."""
        there = self.path(system, "there")
        if system == OURS:
            oxy(self.top, "clone", way.ours, there, env=way.env)
        else:
            git(self.top, "clone", "--quiet", "--no-local", way.theirs, there, env=way.env)

    def pull(self, system: str, way: Way) -> None:
        """Pull from the source, and have the files follow."""
        there = self.path(system, "there")
        if system == OURS:
            oxy(there, "pull", way.ours, env=way.env)
        else:
            git(there, "pull", "--quiet", "--ff-only", way.theirs, "main", env=way.env)

    def check(self) -> None:
        """Assert that both have the newest version of the file."""
        for system in (OURS, "git"):
            with open(os.path.join(self.path(system, "there"), "a"), "rb") as file:
                assert file.read() == self.commits[-1].files["a"]


def exchanges(place: Place) -> Iterator[Setting]:
    """Yield clones, pulls of one commit and of nothing, over each way."""
    for full in COMMITS:
        size = place.share(full, 2 + full // 40)
        yield from in_memory(size)
        sides = Sides(place.path(f"{full}"), size)
        with ExitStack() as serving:
            for name, way in _ways(sides, serving).items():
                for operation, start, work in (
                    ("clone", "nothing", sides.clone),
                    ("pull of one commit", "behind", sides.pull),
                    ("pull of nothing", "even", sides.pull),
                ):
                    arms = {
                        system: Arm(
                            partial(work, system, way), partial(sides.fresh, system, start)
                        )
                        for system in (OURS, "git")
                    }
                    sizes = {"objects": 3 * size + 1}
                    yield Setting(operation, name, sizes, arms, sides.check)


def _ways(sides: Sides, serving: ExitStack) -> dict[str, Way]:
    """Return the ways to the sources; servers run until the stack is closed."""
    program = _program(sides.top, "ssh", SSH)
    _program(sides.top, "oxy", f'#!/bin/sh\nexec {shlex.join(OXY)} "$@"\n')
    far = {"GIT_SSH": program, "GIT_SSH_VARIANT": "ssh", "OXY_SSH": program}
    ours = serving.enter_context(oxy_served(sides.ours))
    theirs = serving.enter_context(git_served(sides.sources))
    return {
        "path": Way(sides.ours, sides.theirs),
        "ssh": Way(f"ssh://here{sides.ours}", f"ssh://here{sides.theirs}", far),
        "http": Way(ours.address, f"{theirs.address}/git"),
    }


def _program(top: str, name: str, text: str) -> str:
    """Make a program in a directory of such; return where it is."""
    path = os.path.join(top, "programs", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o700)
    return path


def in_memory(size: int) -> Iterator[Setting]:
    """Yield receiving in memory, where nothing but the library is measured."""
    source = Repository.in_memory()
    record(source, history(size))
    for operation, have in (
        ("clone", 0),
        ("pull of one commit", size - 1),
        ("pull of nothing", size),
    ):
        target = [Repository.in_memory()]

        def begin(have: int = have, target: list[Repository] = target) -> None:
            target[0] = Repository.in_memory()
            _take(source, target[0], 0, have)

        def check(target: list[Repository] = target) -> None:
            assert target[0].store.count(CHANGE) == size

        def work(have: int = have, target: list[Repository] = target) -> None:
            _take(source, target[0], have, size)

        arms = {LIBRARY: Arm(work, begin)}
        yield Setting(operation, "memory", {"objects": 3 * size + 1}, arms, check)


def _take(source: Repository, target: Repository, have: int, want: int) -> None:
    """Receive the changes up to one, of which those up to another are there."""
    if have == want:
        Stored(source).refs()
        return
    asked, there = (
        [ChangeId(source.store.id_of(CHANGE, each))] if each else [] for each in (want, have)
    )
    coming = Stored(source).missing(asked, there, holds_none)
    with writing(target, STAMP, "fast") as work:
        receive(target, work.transaction, coming, UNWATCHED)


def advertised(place: Place) -> Iterator[Setting]:
    """Yield a pull of nothing from a repository of many bookmarks."""
    size = place.share(BOOKMARKS, 10)
    sides = Sides(place.path("many"), 2)
    made = Repository.at(os.fsencode(sides.ours))
    state = Name((made.store.count(CHANGE),))
    with made.store.transaction() as transaction:
        for number in range(size):
            set_ref(transaction, Ref(BOOKMARK, b"topic/%05d" % number), Target(state))
    made.close()
    head = plain_git(sides.theirs, "rev-parse", "main").decode().strip()
    lines = "".join(f"create refs/heads/topic/{number:05} {head}\n" for number in range(size))
    plain_git(sides.theirs, "update-ref", "--stdin", data=lines.encode())
    plain_git(sides.theirs, "pack-refs", "--all")
    works: dict[str, Callable[[], object]] = {}
    for system, run in ((OURS, oxy), ("git", git)):
        sides.fresh(system, "even")
        words = ("fetch",) if system == OURS else ("fetch", "--quiet")
        works[system] = partial(run, sides.path(system, "there"), *words)
        works[system]()
    arms = {system: Arm(work, sides.check) for system, work in works.items()}
    yield Setting("fetch of nothing", "path", {"bookmarks": size}, arms)


CASES: Final = (Case("exchanges", exchanges), Case("advertised", advertised))


def main() -> None:
    """Print a row for each."""
    run_cases("exchanging", __doc__, CASES)


if __name__ == "__main__":
    main()
