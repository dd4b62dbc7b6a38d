"""Branches to switch to, take from and merge, a clone that falls behind, and many bookmarks.

All are made outside the clock, alike on every system.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Final

from bench.beside.operations import CLONE, FIRST, ONE, TEN
from bench.beside.system import Command, System
from bench.beside.trees import Tree, edit
from bench.measuring.process import timed, watched
from bench.measuring.source import git
from oxy.actions.naming import resolve
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.writing import Stamp, writing

TOPIC: Final = "topic"
"""Has a change of each of the files that are edited; `wide` has one of a tenth of all files."""
WIDE: Final = "wide"
BASE: Final = "base"
"""Has a change of another file, and is where what takes from the topic begins."""
MANY: Final = 10_000
"""Bookmarks of the repository that has many."""
FEWEST: Final = 20
"""Files that a tree has to have for branches that are apart."""
_FAR: Final = 9_000_000
"""Where the versions begin that are on branches."""
_NAMES: Final = [f"team{number % 100:02}/work{number:05}" for number in range(MANY)]


def can_branch(tree: Tree) -> bool:
    """Whether there are files enough that are small."""
    return tree.sizes.get("files", 0) >= FEWEST and "MB" not in tree.sizes


def done(commands: Sequence[Command], top: str, told: Mapping[str, str]) -> None:
    """Run commands of a set-up."""
    for command in commands:
        timed([word.format_map(told) for word in command], top)


def forget(top: str, names: Sequence[str]) -> None:
    """Delete files of a repository."""
    for name in names:
        os.unlink(os.path.join(top, name))


def begin(system: System, top: str, name: str, at: str) -> None:
    """Begin a branch at another, and go there."""
    done(system.branching.begin, top, {"name": name, "at": at})


def go(system: System, top: str, name: str) -> None:
    """Go to a branch."""
    done(system.branching.go, top, {"name": name})


def home(system: System, top: str) -> None:
    """Go to the branch that there is from the start."""
    go(system, top, system.branching.main)


def mark_of(edited: Sequence[str], path: str) -> bytes:
    """Return the line that the topic's change of a file left in it."""
    return b"version %d" % (_FAR + edited.index(path))


def lay(system: System, top: str, tree: Tree, behind: str) -> None:
    """Make the branches of a repository that has nothing edited, and the clone.

    Args:
        system: whose.
        top: where it is.
        tree: what it holds.
        behind: where the clone is made.
    """
    paths = [path for path, _ in tree.files()]
    own = set(tree.edited)
    others = [path for path in paths if path not in own]
    main, commit = system.branching.main, system.operations[ONE]
    done(system.branching.first, top, {})
    begin(system, top, TOPIC, main)
    for number, path in enumerate(tree.edited):
        edit(top, path, _FAR + number)
        done(commit, top, {})
    home(system, top)
    begin(system, top, WIDE, main)
    for number, path in enumerate(paths[3::10]):
        edit(top, path, 2 * _FAR + number)
    done(system.operations[TEN], top, {})
    home(system, top)
    edit(top, others[0], 3 * _FAR)
    done(commit, top, {})
    begin(system, top, BASE, main)
    home(system, top)
    done(system.operations[CLONE], top, {"top": top, "other": behind})


def bookmarked(system: System, top: str) -> None:
    """Make a repository of one change that many bookmarks hold."""
    os.makedirs(top)
    done(system.setup, top, {"top": top})
    with open(os.path.join(top, "file"), "wb") as file:
        file.write(b"one\n")
    done(system.operations[FIRST], top, {"top": top})
    _NAMED[system.name](top)


def _oxy(top: str) -> None:
    stamp = Stamp(0, 0, b"Bench <b@c>", b"bookmark")
    with closing(Repository.at(os.fsencode(top))) as repository:
        target = Target(resolve(repository, b"main").state)
        with writing(repository, stamp) as work:
            for name in _NAMES:
                work.move(Ref(BOOKMARK, name.encode()), target)


def _git(top: str) -> None:
    asked = "".join(f"create refs/heads/{name} main\n" for name in _NAMES)
    git(top, "update-ref", "--stdin", data=asked.encode())
    git(top, "pack-refs", "--all")


def _hg(top: str) -> None:
    tip = watched(["hg", "log", "-r", "tip", "-T", "{node}"], top).output.decode()
    with open(os.path.join(top, ".hg", "bookmarks"), "w", encoding="ascii") as file:
        file.writelines(f"{tip} {name}\n" for name in _NAMES)


_NAMED: Final = {"oxy": _oxy, "git": _git, "hg": _hg}
