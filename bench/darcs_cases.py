"""Where the line cases of a merge read otherwise in Darcs than in oxy, and how.

Every case is recorded in both, change by change on the same sets of changes; then every state
of it is read. What is in conflict reads as Darcs marks it. Where the differences come from is
told in spec/conflicts.md.

Does not show: which reading is right; time.
"""

import os
import shutil
import subprocess
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Final

from bench.measuring.table import table
from tests.cases.lines import CASES
from tests.cases.players import OnGraph
from tests.cases.script import Case, State, fitting, play
from tests.naive.story import reading

ENVIRONMENT: Final = {
    "DARCS_EMAIL": "Ada <ada@example.org>",
    "PATH": os.environ.get("PATH", os.defpath),
    "LC_ALL": "C.UTF-8",
}
ALONE: Final = "*************"


class CannotError(Exception):
    """Darcs has no such state, or nothing to record."""


class OnBoth:
    """Plays a case on the graph, which says what depends on what, and in Darcs beside it."""

    def __init__(self, root: str) -> None:
        self.graph = OnGraph()
        self._root = root
        self._order: list[str] = []
        self._places: dict[str, str] = {}
        self.cannot: dict[str, str] = {}

    def tell(self, state: State, name: str, text: str) -> None:
        """Record a text in both."""
        self.graph.tell(state, name, text)
        self._record(state, name, text)

    def revert(self, state: State, name: str, of: str) -> None:
        """Record in both what takes back a change."""
        self.graph.revert(state, name, of)
        self._record(state, name, None, of)

    def dependents(self, state: State, names: State) -> State:
        """Return what depends on changes, as the graph has it."""
        return self.graph.dependents(state, names)

    def reads(self, state: State) -> str:
        """Return what Darcs reads, in the notation of the cases, or why it cannot."""
        try:
            place = self._at(state)
            self._run(place, "mark-conflicts", "-q")
        except CannotError as error:
            return f"({error})"
        return notation(lines_of(place))

    def _record(self, state: State, name: str, text: str | None, of: str = "") -> None:
        self._order.append(name)
        try:
            place = self._at(state)
            if text is None:
                self._run(place, "rollback", "-a", "-q", "-p", f"^{of}$")
            else:
                with open(os.path.join(place, "f"), "w", encoding="utf-8") as file:
                    file.writelines(letter + "\n" for letter in text)
            # Two versions of a length written in one second look alike but for their bytes.
            self._run(place, "record", "-a", "-l", "--ignore-times", "-m", name)
            self._places[name] = place
        except CannotError as error:
            self.cannot[name] = str(error)

    def _at(self, state: State) -> str:
        """Return a repository with just these changes, each pulled from where it was made."""
        place = tempfile.mkdtemp(dir=self._root)
        self._run(place, "init", "-q")
        for name in self._order:
            if name in state:
                if name not in self._places:
                    message = f"{name}: {self.cannot[name]}"
                    raise CannotError(message)
                origin = self._places[name]
                self._run(
                    place, "pull", "-a", "-q", "--allow-conflicts", "-p", f"^{name}$", origin
                )
        logged = self._run(place, "log").splitlines()
        found = {line[4:] for line in logged if line.startswith("  * ")}
        if found != state:
            message = "needs " + ", ".join(sorted(found - state) or sorted(state - found))
            raise CannotError(message)
        return place

    def _run(self, place: str, *words: str) -> str:
        done = subprocess.run(
            ["darcs", *words],
            cwd=place,
            env=ENVIRONMENT | {"HOME": self._root},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        if done.returncode or "No changes" in done.stdout:
            message = (done.stderr or done.stdout).strip().splitlines()[-1]
            raise CannotError(message)
        return done.stdout


def lines_of(place: str) -> list[str]:
    """Return the lines of the one file, or none where there is none."""
    path = os.path.join(place, "f")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def notation(lines: Iterable[str]) -> str:
    """Return a text with the conflicts that Darcs marked, in the notation of the cases."""
    parts: list[str] = []
    sides: list[str] = []
    for line in lines:
        if line.startswith("v v v"):
            sides = [""]
        elif sides and line.startswith("====="):
            sides = ["", ""]
        elif sides and line == ALONE:
            sides.append("")
        elif sides and line.startswith("^ ^ ^"):
            parts.append("{" + "|".join(sorted(sides[1:])) + "}")
            sides = []
        elif sides:
            sides[-1] += line
        else:
            parts.append(line)
    return "".join(parts)


def compared(case: Case, root: str) -> dict[State, tuple[str, ...] | None]:
    """Return each state of a case with a row of what differs, or None where it reads alike."""
    player = OnBoth(tempfile.mkdtemp(dir=root))
    rows: dict[State, tuple[str, ...] | None] = {}
    for check in play(case, player):
        if check.state in rows:
            continue
        ours = player.graph.sketch.show(player.graph.bits(check.state))
        theirs = player.reads(check.state)
        state = " ".join(sorted(check.state - {"O"}))
        row = (case.number, case.about, state, f"`{ours}`", f"`{theirs}`")
        rows[check.state] = None if reading(ours) == reading(theirs) else row
    return rows


def main() -> None:
    """Compare, and print what differs."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="NUMBER", help="this case")
    args = parser.parse_args()
    if shutil.which("darcs") is None:
        print("darcs is not installed: nothing compared")
        return
    version = subprocess.run(
        ["darcs", "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    cases = [case for case in fitting(CASES) if args.only in (None, case.number)]
    with tempfile.TemporaryDirectory() as root:
        found = [row for case in cases for row in compared(case, root).values()]
    rows = [row for row in found if row is not None]
    alike = len(found) - len(rows)
    print(f"Darcs {version}: {len(cases)} cases, {alike} of {len(found)} states read alike\n")
    print(table(("case", "about", "changes", "oxy", "darcs"), rows))


if __name__ == "__main__":
    main()
