"""Does `oxy blame` name the commit that `git blame` names, and where it does not, why?

For text files with at least two commits, chosen by a seed among those of HEAD, and where these
are too few among those of commits a quarter, half and three quarters back. Bound: the same
commit for at least 95 % of the lines. Without arguments: the history of this project. Does not
show: which of two commits is right.
"""

import json
import os
import random
import subprocess
from argparse import Namespace
from collections.abc import Iterator
from typing import Final, NamedTuple, TypedDict, cast

from bench.measuring.asked import Found, asked, conclude, parser, recorded
from bench.measuring.causes import CAUSES, Dispute, Sorted, cause_of
from bench.measuring.gitblame import GitHistory
from bench.measuring.process import OXY, ROOT, environment, watched
from bench.measuring.record import Row
from bench.measuring.source import Source, copied, source
from oxy.actions.blame import Line, blame
from oxy.actions.tree import file_at
from oxy.model.operation import KIND_TEXT
from oxy.repo.repository import Repository, opened
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE
from oxy_git.verify.history import History

CHECKED: Final = 10
"""Every so many files the command is asked too."""


class Shown(TypedDict):
    """A line as `oxy --json blame` shows it."""

    line: int
    change: str


class File(NamedTuple):
    """A file of a commit."""

    commit: str
    path: str


class Compared(NamedTuple):
    """What the comparison of one repository found."""

    files: int
    lines: int
    same: int
    causes: Sorted


class Blamer:
    """An imported repository, asked for the commits behind lines."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        numbers = History(repository).numbers
        self._numbers = {oid.hex(): number for oid, number in numbers.items()}
        ids = repository.store.ids_of(CHANGE, numbers.values())
        self.commits = dict(zip(ids, self._numbers, strict=True))

    def change(self, commit: str) -> str:
        """Return the id of the change that a commit became."""
        return self._repository.store.id_of(CHANGE, self._numbers[commit]).hex()

    def state(self, commit: str) -> Name:
        """Return the state of a commit."""
        return Name((self._numbers[commit],))

    def node(self, commit: str, path: str) -> int | None:
        """Return the node of a text, None where the file is no text."""
        entry = file_at(self._repository, self.state(commit), os.fsencode(path))
        return entry.node if entry.kind == KIND_TEXT else None

    def lines(self, commit: str, path: str) -> list[Line]:
        """Return the lines of a file of a commit with the changes behind them."""
        return blame(self._repository, self.state(commit), os.fsencode(path))

    def path(self, node: int, commit: str) -> str:
        """Return where a node was in the state of a commit."""
        state = self._repository.states.of_change(self._numbers[commit])
        return os.fsdecode(self._repository.nodes.view(node, state).path or b"")


def chosen(history: GitHistory, blamer: Blamer, count: int, seed: int) -> Iterator[File]:
    """Yield text files with at least two commits, in an order that the seed gives."""
    dice = random.Random(seed)  # noqa: S311 - a choice that comes again, no secret
    for commit in history.snapshots():
        touched = history.touched(commit)
        paths = [path for path in history.files(commit) if touched.get(path, 0) > 1]
        dice.shuffle(paths)
        for path in paths:
            if not count:
                return
            if blamer.node(commit, path) is not None:
                count -= 1
                yield File(commit, path)


def disputes(history: GitHistory, blamer: Blamer, file: File) -> tuple[int, list[Dispute]]:
    """Return how many lines a file has, and those that are blamed on two commits."""
    at, path = file
    ours, theirs = blamer.lines(at, path), history.blame(at, path)
    assert len(ours) == len(theirs), path
    node = blamer.node(at, path) or 0
    found = []
    for mine, other in zip(ours, theirs, strict=True):
        commit = blamer.commits[mine.change]
        if commit != other.commit:
            where = blamer.path(node, commit)
            found.append(Dispute(at, path, mine.number, mine.text, commit, where, *other))
    return len(ours), found


def check_command(root: str, blamer: Blamer, file: File) -> None:
    """Assert that the command shows what the action returns."""
    words = [*OXY, "-C", root, "--json", "blame", file.path, "--at", blamer.change(file.commit)]
    said = subprocess.run(words, capture_output=True, check=True, env=environment()).stdout
    shown = [cast("Shown", json.loads(line)) for line in said.splitlines()]
    expected = [(line.number, line.change.hex()) for line in blamer.lines(*file)]
    assert [(line["line"], line["change"]) for line in shown] == expected, file.path


def compared(root: str, where: str, args: Namespace) -> Compared:
    """Compare the blames of one repository."""
    history = GitHistory(where)
    causes = Sorted(lambda dispute: cause_of(dispute, history), args.examples)
    files = lines = same = 0
    with opened(os.fsencode(root)) as repository:
        blamer = Blamer(repository)
        for file in chosen(history, blamer, args.size, args.seed):
            count, found = disputes(history, blamer, file)
            if files % CHECKED == 0:
                check_command(root, blamer, file)
            files, lines, same = files + 1, lines + count, same + count - len(found)
            for dispute in found:
                causes.add(dispute)
    history.close()
    return Compared(files, lines, same, causes)


def row_of(name: str, found: Compared) -> Row:
    """Return the row of a repository: counts only, since nothing is timed."""
    share = 100 * found.same / max(1, found.lines)
    facts = {"lines": found.lines, "same commit %": share} | {
        cause: found.causes.counts[cause] for cause in CAUSES
    }
    return Row("the same commit is blamed", name, {"files": found.files}, {}, facts=facts)


def examples_of(found: Compared) -> list[str]:
    """Return lines that are blamed on two commits, by cause."""
    told: list[str] = []
    for cause, examples in found.causes.examples.items():
        told += [f"{cause}:"] if examples else []
        for at, path, number, text, *sides in examples:
            oxy, oxy_path, git, git_path = sides
            told.append(
                f"  {at[:10]}:{path}:{number}: {text[:90]!r}\n"
                f"    oxy {oxy[:10]}:{oxy_path} git {git[:10]}:{git_path}"
            )
    return told


def main() -> None:
    """Compare and print."""
    reads = parser(__doc__, size=200, counts="files", iters=1)
    reads.add_argument("repository", nargs="?", metavar="OXYREPO")
    reads.add_argument("source", nargs="?", metavar="[NAME=]SOURCE", type=source)
    reads.add_argument("--seed", type=int, default=1)
    reads.add_argument("--examples", type=int, default=0, metavar="N", help="of each cause")
    args = reads.parse_args()
    said = asked(args)
    given: Source | None = args.source

    def measure(top: str) -> Found:
        own, place = given, args.repository
        if own is None:
            own = Source("oxy", copied(str(ROOT), os.path.join(top, "git")))
            place = os.path.join(top, "oxy")
            watched([*OXY, "git", "import", "--no-checkout", own.path, place])
        found = compared(place, own.path, args)
        return Found([row_of(own.name, found)], [*examples_of(found), f"Seed {args.seed}."])

    conclude(recorded("blame-git", __doc__, said.place, measure), said.json)


if __name__ == "__main__":
    main()
