"""Repositories that start from one base, change apart, and pull from each other."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.builders.tree import Tree, held
from tests.cases.desks import Clone

Edit: TypeAlias = Callable[[Path], None]
"""Changes the files of a working copy."""


class Family:
    """A and B, and two that only look: C pulls A then B, D pulls B then A."""

    def __init__(self, root: Path, capture: pytest.CaptureFixture[bytes]) -> None:
        self.a, self.b, self.c, self.d = (Clone(root / name, capture) for name in "ABCD")
        self.ids: dict[str, str] = {}

    def part(self, base: Edit, ours: Edit, theirs: Edit) -> Tree:
        """Record a base, edit it in A and in B, and bring both together everywhere."""
        base(self.a.root)
        self.ids["base"] = self.a.commit("Base")
        self.b.pull(self.a)
        ours(self.a.root)
        self.ids["ours"] = self.a.commit("Ours")
        theirs(self.b.root)
        self.ids["theirs"] = self.b.commit("Theirs")
        return self.meet()

    def meet(self) -> Tree:
        """Bring A and B together everywhere; return the files, which are the same."""
        for one, first, second in ((self.c, self.a, self.b), (self.d, self.b, self.a)):
            one.pull(first)
            one.pull(second)
        self.a.pull(self.b)
        self.b.pull(self.a)
        trees = [held(one.root) for one in (self.a, self.b, self.c, self.d)]
        conflicts = [one.conflicts() for one in (self.a, self.b, self.c, self.d)]
        assert trees[1:] == trees[:1] * 3
        assert conflicts[1:] == conflicts[:1] * 3
        return trees[0]

    def kinds(self) -> dict[str, list[str]]:
        """Return what is in conflict, by path."""
        found = self.a.record("status")["conflicts"]
        assert isinstance(found, list)
        return {one["path"]: one["kinds"] for one in found}

    def settle(self, take: str, *paths: str) -> Tree:
        """Take a side in A and record it; return the files, which are the same everywhere."""
        self.a.says("resolve", "--take", take, *paths)
        self.a.commit("Settled")
        return self.settled()

    def settled(self) -> Tree:
        """Pull what A settled; return the files, which are the same and not in conflict."""
        assert self.a.conflicts() == []
        tree = held(self.a.root)
        for one in (self.b, self.c, self.d):
            one.pull(self.a)
            assert held(one.root) == tree
            assert one.conflicts() == []
        return tree

    def log(self, one: Clone) -> list[str]:
        """Return the messages of a state, newest first."""
        assert one.run("log", "--json") == 0, one.err
        return [json.loads(line)["message"] for line in one.out.splitlines()]


def writing(files: dict[str, bytes | str]) -> Edit:
    """Return an edit that writes files: bytes, or where a symlink points."""

    def edit(root: Path) -> None:
        for name, data in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            if isinstance(data, str):
                path.symlink_to(data)
            else:
                path.write_bytes(data)

    return edit


def moving(old: str, new: str, **files: bytes) -> Edit:
    """Return an edit that renames a file, and then writes some."""

    def edit(root: Path) -> None:
        (root / new).parent.mkdir(parents=True, exist_ok=True)
        (root / old).rename(root / new)
        writing(dict(files))(root)

    return edit


def removing(*names: str) -> Edit:
    """Return an edit that deletes files, and the directories that are empty then."""

    def edit(root: Path) -> None:
        for name in names:
            path = root / name
            path.unlink()
            while path.parent != root and not any(path.parent.iterdir()):
                path = path.parent
                path.rmdir()

    return edit
