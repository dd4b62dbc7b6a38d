"""What do walks of a history, common states and comparing trees cost, beside git?

A history in a line is changes on one another; one in diamonds is two changes on one, and one
on both, again and again. *common* is what two states have in common and its name, beside
`git merge-base --all`. Trees are loaded from where they are kept, beside `git diff-tree -r`.
Does not show: long histories (`bench/curves.py` does), writing what is found.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from bench.measuring.operation import Arm, Case, Place, Setting, run_cases
from bench.measuring.record import LIBRARY
from bench.measuring.source import git
from bench.operations.histgit import Commit, repository
from oxy.actions.log import log
from oxy.model.operation import KIND_TEXT
from oxy.repo.cache import Cache
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import EMPTY, Directory, Entry, differences, edited, load, save
from tests.builders.scribe import File, Scribe

COMMITS: Final = 256
FILES: Final = 10_000
DIFFERING: Final = 100
LEVELS: Final = 512


def linear(count: int) -> list[Commit]:
    """Return a history in a line."""
    return [
        Commit([number - 1] if number else [], {"a": b"%d\n" % number})
        for number in range(count)
    ]


def diamonds(count: int) -> list[Commit]:
    """Return a history in diamonds: each third commit is on the two before it."""
    history = [Commit([], {"base": b"0\n"})]
    while len(history) < count:
        base = len(history) - 1
        history += [
            Commit([base], {"left": b"%d\n" % base}),
            Commit([base], {"right": b"%d\n" % base}),
            Commit([base + 1, base + 2], {"left": b"%d\n" % base, "right": b"%d\n" % base}),
        ]
    return history


SHAPES: Final = {"in a line": linear, "in diamonds": diamonds}


class Histories:
    """One history in both systems; `states` are the names of oxy's states, commit by commit."""

    def __init__(self, top: str, history: Sequence[Commit]) -> None:
        self.git = os.path.join(top, "git")
        self.ids = repository(self.git, history)
        root = os.path.join(top, "oxy")
        os.makedirs(root)
        self.oxy = Repository.create(os.fsencode(root), "fast")
        self.states = _recorded(self.oxy, history)

    def walk(self) -> int:
        """Walk the newest state."""
        self.oxy.forget()
        return sum(1 for _ in log(self.oxy, self.states[-1]))

    def walk_git(self) -> int:
        """Walk the branch."""
        return len(git(self.git, "log", "--format=%H%x00%an%x00%s", "main").splitlines())

    def common(self) -> Name:
        """Return the name of what the two states before the last have in common."""
        self.oxy.forget()
        states = self.oxy.states
        one, other = (states.members(each) for each in self.states[-3:-1])
        return states.name_of(one & other)

    def common_git(self) -> bytes:
        """Return the merge bases of the same commits."""
        return git(self.git, "merge-base", "--all", *self.ids[-3:-1])

    def check(self) -> None:
        """Assert that both found the same."""
        assert self.walk() == self.walk_git() == len(self.ids)
        base = self.ids.index(self.common_git().decode().strip())
        assert self.common() == self.states[base]


def _recorded(oxy: Repository, history: Sequence[Commit]) -> list[Name]:
    """Record a history, each file's text whole, and return the name of each state."""
    scribe = Scribe(oxy)
    states: list[Name] = []
    for number, commit in enumerate(history):
        context = oxy.states.join(tuple(states[at] for at in commit.parents))
        told = {"merged": b"%d\n" % number} if len(commit.parents) > 1 else commit.files
        files = {path.encode(): File(data) for path, data in told.items()}
        states.append(Name((scribe.commit(context, files).number,), context.absent))
    return states


def histories(place: Place) -> Iterator[Setting]:
    """Yield walking a history, and finding what two of its states have in common."""
    for shape, make in SHAPES.items():
        made = Histories(place.path(shape), make(place.share(COMMITS, 7)))
        works = {
            "walk a history": (made.walk, made.walk_git),
            "common state": (made.common, made.common_git),
        }
        for operation, (one, other) in works.items():
            arms = {LIBRARY: Arm(one), "git": Arm(other)}
            yield Setting(operation, shape, {"commits": len(made.ids)}, arms, made.check)
        made.oxy.close()


class Trees(NamedTuple):
    """Two trees that differ: the paths of the first, and those that the second has edited."""

    paths: Sequence[str]
    edited: frozenset[str]


def sparse(place: Place) -> Trees:
    """Return a tree of which a hundredth differs."""
    paths = _paths(place.share(FILES, 100))
    return Trees(paths, frozenset(paths[:: FILES // DIFFERING]))


def broad(place: Place) -> Trees:
    """Return a tree of which all differs."""
    paths = _paths(place.share(FILES, 100))
    return Trees(paths, frozenset(paths))


def deep(place: Place) -> Trees:
    """Return a file in each of many levels, of which the deepest differs."""
    paths = ["d/" * level + "file" for level in range(place.share(LEVELS, 8))]
    return Trees(paths, frozenset(paths[-1:]))


def _paths(count: int) -> list[str]:
    return [f"dir{number % 100:02}/file{number // 100:05}.txt" for number in range(count)]


TREES: Final = {"sparse": sparse, "broad": broad, "deep": deep}


def comparisons(place: Place) -> Iterator[Setting]:
    """Yield comparing two trees of many files."""
    top = place.path("git")
    os.makedirs(top)
    git(top, "init", "--bare", "--quiet")
    for shape, make in TREES.items():
        trees = make(place)
        cache = Cache(os.fsencode(place.path(f"{shape}.db")))
        keys = [save(_tree(trees, version), cache) for version in (0, 1)]
        names = [_git_tree(top, trees, version) for version in (0, 1)]
        compare = partial(_compare, cache, keys)
        theirs = partial(git, top, "diff-tree", "-r", "--name-only", *names)

        arms = {LIBRARY: Arm(compare), "git": Arm(theirs)}
        sizes = {"files": len(trees.paths), "differing": len(trees.edited)}
        yield Setting(
            "compare states", shape, sizes, arms, partial(_agree, trees, compare, theirs)
        )
        cache.close()


def _agree(
    trees: Trees, compare: Callable[[], list[bytes]], theirs: Callable[[], bytes]
) -> None:
    """Assert that both find what was edited."""
    told = {path.decode() for path in theirs().splitlines()}
    assert told == {path.decode() for path in compare()} == trees.edited


def _compare(cache: Cache, keys: Sequence[bytes]) -> list[bytes]:
    one, other = (load(key, cache, lambda: EMPTY) for key in keys)
    return [path for path, _, _ in differences(one, other)]


def _tree(trees: Trees, version: int) -> Directory:
    entries: Mapping[bytes, Entry | None] = {
        path.encode(): Entry(
            at + 1, KIND_TEXT, 0, (at + (path in trees.edited) * version * FILES).to_bytes(16)
        )
        for at, path in enumerate(trees.paths)
    }
    return edited(EMPTY, entries)


def _git_tree(top: str, trees: Trees, version: int) -> str:
    """Return the tree of git that is the same, of objects that are not there."""
    lines = (
        f"100644 {at + 1 + (path in trees.edited) * version * FILES:040x} 0\t{path}\n"
        for at, path in enumerate(trees.paths)
    )
    git(top, "read-tree", "--empty")
    git(top, "update-index", "--index-info", data="".join(lines).encode())
    return git(top, "write-tree", "--missing-ok").decode().strip()


CASES: Final = (Case("histories", histories), Case("comparisons", comparisons))


def main() -> None:
    """Print a row for each."""
    run_cases("histories", __doc__, CASES)


if __name__ == "__main__":
    main()
