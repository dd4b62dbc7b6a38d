"""Cases played through the real command line, in repositories that pull from each other."""

import json
from pathlib import Path

import pytest

from tests.builders.desk import Desk
from tests.cases.players import OnGraph
from tests.cases.script import Case, Check, Reads, State, Step, Tell, state_of
from tests.naive.story import reading

FILE = "f"
Sides = tuple[str | frozenset[str], ...]


class Clone(Desk):
    """A repository of several that exchange changes; `stored` are the changes that it has."""

    def __init__(self, root: Path, capture: pytest.CaptureFixture[bytes]) -> None:
        super().__init__(root, capture)
        root.mkdir()
        self.says("init")
        self.stored: set[str] = set()

    def changes(self) -> set[str]:
        """Return the ids of the changes in the state."""
        assert self.run("log", "--json") == 0, self.err
        return {str(json.loads(line)["id"]) for line in self.out.splitlines()}

    def changes_of(self, *words: str) -> list[str]:
        """Return the ids of the changes that a command records."""
        ids = self.record(*words)["ids"]
        assert isinstance(ids, list)
        return ids

    def pull(self, other: "Clone") -> None:
        """Take what another has, and see that nothing looks edited."""
        assert self.run("pull", str(other.root)) == 0, self.err
        self.stored |= other.changes()
        self.is_quiet()

    def is_quiet(self) -> None:
        """Check that the working copy is clean and that there is nothing to record."""
        assert self.record("status")["changes"] == []
        assert self.run("commit", "-m", "Nothing", "--json") == 1, self.err
        assert json.loads(self.out)["id"] is None

    def go(self, wanted: set[str], others: "list[Clone]") -> None:
        """Come to hold exactly these changes."""
        while absent := wanted - self.stored:
            other = max(others, key=lambda other: len(absent & other.stored))
            hidden = absent & other.stored - other.changes()
            if hidden:
                other.says("pick", *sorted(hidden))
            self.pull(other)
            assert absent & self.stored
        here = self.changes()
        if wanted - here:
            self.says("pick", *sorted(wanted - here))
            here = self.changes()
        if here - wanted:
            self.says("unrecord", *sorted(here - wanted))
        assert self.changes() == wanted
        self.is_quiet()

    def text(self) -> bytes:
        """Return the file, which the working copy and the state have alike."""
        path = self.root / FILE
        assert self.run("cat", FILE, "--json") == 0, self.err
        held = json.loads(self.out)
        data = path.read_bytes()
        assert held["content"].encode() == data
        return data

    def conflicts(self) -> list[object]:
        """Return what is in conflict, in terms that do not depend on who looks."""
        found: list[object] = list(self._conflicts())
        return found

    def _conflicts(self) -> list[dict[str, object]]:
        conflicts = self.record("status")["conflicts"]
        assert isinstance(conflicts, list)
        assert self.run("resolve", "--json") == int(bool(conflicts))
        listed = json.loads(self.out)["conflicts"]
        assert [one["path"] for one in listed] == [one["path"] for one in conflicts]
        return conflicts


class OnDesks:
    """Plays a case step by step; the first letter of a change tells where it is made."""

    def __init__(self, case: Case, clones: dict[str, Clone], *, lines: bool) -> None:
        self.case = case
        self.clones = clones
        self.lines = lines
        self.graph = OnGraph()
        self.after: dict[str, State] = {}
        self.ids: dict[str, str] = {}

    def play(self) -> None:
        """Record what is to be recorded, and check what is read, in A and in B."""
        for step in self.case.steps:
            if isinstance(step, Reads):
                state = state_of(step.state, self.after, self.graph)
                self.check(Check(state, step.text, tuple(step.blame.split())))
            else:
                self.record(step)

    def record(self, step: Step) -> None:
        if isinstance(step, Reads):
            return
        state = state_of(step.on, self.after, self.graph)
        clone = self.clones.get(step.name[0], self.clones["A"])
        self.go(clone, state)
        if isinstance(step, Tell):
            self.graph.tell(state, step.name, step.text if self.lines else "x")
            (clone.root / FILE).write_bytes(self.data(step.text))
            self.ids[step.name] = clone.commit(step.name)
        else:
            self.graph.revert(state, step.name, step.of)
            (self.ids[step.name],) = clone.changes_of("revert", self.ids[step.of])
        clone.stored.add(self.ids[step.name])
        self.after[step.name] = state | {step.name}
        if isinstance(step, Tell):
            assert clone.text() == self.data(step.text)
            assert clone.conflicts() == []

    def check(self, check: Check) -> None:
        """Check that A and B, brought to a state, read alike and as told."""
        seen = []
        for clone in (self.clones["A"], self.clones["B"]):
            self.go(clone, check.state)
            data = clone.text()
            assert parts(data, lines=self.lines) == reading(check.text)
            seen.append((data, clone.conflicts()))
            if check.blame:
                assert self.blame(clone) == list(check.blame)
        assert seen[0] == seen[1]
        assert bool(seen[0][1]) == ("{" in check.text)

    def go(self, clone: Clone, state: State) -> None:
        others = [other for other in self.clones.values() if other is not clone]
        clone.go({self.ids[name] for name in state}, others)

    def blame(self, clone: Clone) -> list[str]:
        names = {change: name for name, change in self.ids.items()}
        assert clone.run("blame", FILE, "--json") == 0, clone.err
        lines = [json.loads(line) for line in clone.out.splitlines()]
        return [names[line["change"]] for line in lines if "side" not in line]

    def data(self, text: str) -> bytes:
        """Return what a text of the case is on disk."""
        return ("".join(letter + "\n" for letter in text) if self.lines else text).encode()


def parts(data: bytes, *, lines: bool) -> Sides:
    """Return a file as a case tells it: text, and the sides of conflicts in any order."""
    found: list[str | frozenset[str]] = []
    sides: list[str] = []
    where = ""
    for line in data.decode().splitlines(keepends=True):
        mark = line[:7]
        if mark == "<<<<<<<":
            sides, where = [""], "side"
        elif mark == "|||||||":
            where = "base"
        elif mark == "=======":
            sides.append("")
            where = "side"
        elif mark == ">>>>>>>":
            found.append(frozenset(sides))
            where = ""
        elif where == "side":
            sides[-1] += line.rstrip("\n") if lines else line
        elif not where:
            found += line.rstrip("\n") if lines else line
    return tuple(found)
