"""A repository under commands that nobody thought about, and what it held after each."""

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from oxy.cli.main import main
from oxy.repo.refs import BOOKMARK, HERE, Target
from oxy.repo.repository import Repository, opened
from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from oxy.store.protocol import CHANGE, OPERATION
from oxy.worktree.conflicted import content
from tests.builders.tree import held as files_on_disk

FINE: Final = (0, 1, 2, 3)
"""What a command may answer to anything: done, no, not so, not now."""

LINE: Final = re.compile(rb"^line \d+$", re.MULTILINE)
MARKER: Final = re.compile(rb"^(?:<{7}|\|{7}|={7}|>{7})", re.MULTILINE)
NAMES: Final = ("f", "d/g", "e/g")
DIRECTORIES: Final = ("d", "e")

Held = dict[bytes, dict[bytes, bytes]]


@contextmanager
def unheard() -> Iterator[io.BytesIO]:
    """Keep what is written to the standard streams from everybody else."""
    held, said = (sys.stdout, sys.stderr), io.BytesIO()
    sys.stdout, sys.stderr = io.TextIOWrapper(said), io.TextIOWrapper(io.BytesIO())
    try:
        yield said
    finally:
        sys.stdout, sys.stderr = held


class Wanderer:
    """A repository with every line that it ever recorded, and what names held when.

    All lines that it writes differ, also from those of others that count on with it.
    """

    def __init__(self, root: Path, lines: Iterator[int]) -> None:
        root.mkdir()
        self.root = root
        self.lines = lines
        self.recorded: set[bytes] = set()
        self.moments: dict[int, Held] = {}
        self.run("init")

    def run(self, *words: str) -> int:
        """Run a command, and note what names hold after it."""
        with unheard() as said:
            code = main(["-C", str(self.root), *words])
            sys.stdout.flush()
            self.said = said.getvalue()
        assert code in FINE, words
        with opened(os.fsencode(self.root)) as repository:
            self.moments.setdefault(repository.store.count(OPERATION), held(repository))
        return code

    def record(self, *words: str) -> bool:
        """Run a command that records the files; return whether it did."""
        there = b"".join(path.read_bytes() for path in self.paths())
        is_marked = MARKER.search(there) is not None
        done = self.run(*words, "--json") == 0 and json.loads(self.said).get("id") is not None
        if done and not is_marked:
            self.recorded.update(LINE.findall(there))
        return done

    def paths(self) -> list[Path]:
        """Return the files that there are."""
        return [self.root / name for name in files_on_disk(self.root)]

    def edit(self, which: int, where: int, how: int) -> None:
        """Put a line in, take some out or both; or delete or move a file, or a directory."""
        path = self.root / NAMES[which % len(NAMES)]
        target = self.root / NAMES[where % len(NAMES)]
        if how == 0 and path.is_file():
            path.unlink()
            return
        if how == 1 and path.is_file() and not target.is_dir():
            target.parent.mkdir(exist_ok=True)
            path.rename(target)
            return
        one, other = DIRECTORIES[:: 1 if where % 2 else -1]
        if how == 2 and (self.root / one).is_dir() and not (self.root / other).exists():
            (self.root / one).rename(self.root / other)
            return
        path.parent.mkdir(exist_ok=True)
        lines = path.read_bytes().splitlines() if path.is_file() else []
        at = where % min(len(lines) + 1, 3)
        fresh = [b"line %d" % next(self.lines) for _ in range(how % 3)]
        lines[at : at + how // 3] = fresh
        path.write_bytes(b"".join(line + b"\n" for line in lines))

    def changes(self) -> list[str]:
        """Return the ids of the changes that are stored, in order of arrival."""
        with opened(os.fsencode(self.root)) as repository:
            store = repository.store
            ids = store.ids_of(CHANGE, range(1, store.count(CHANGE) + 1))
            return [name.hex() for name in ids]

    def go_back(self) -> set[bytes]:
        """Go back to right after each operation; return every line found there.

        Each time names hold what they held then.
        """
        found: set[bytes] = set()
        for number, wanted in sorted(self.moments.items()):
            assert self.run("op", "restore", str(number)) in (0, 1)
            with opened(os.fsencode(self.root)) as repository:
                now = held(repository)
            assert now == wanted
            for tree in now.values():
                for data in tree.values():
                    found.update(LINE.findall(data))
        return found


def held(repository: Repository) -> Held:
    """Return the files of every bookmark and of the working copy's base."""
    refs = [*repository.refs.all(BOOKMARK)]
    here = repository.refs.get(HERE)
    refs.append((b"", here or Target(Name())))
    known: dict[Name, dict[bytes, bytes]] = {}
    found: Held = {}
    for called, target in refs:
        name = target.state
        if name not in known:
            members = repository.states.members(name)
            known[name] = {
                path: b"".join(content(repository, entry.node, members))
                for path, entry in files(tree_of(repository, name))
            }
        found[called] = known[name]
    return found
