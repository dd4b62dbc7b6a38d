"""What git knows of a file's lines: whom it blames, and the versions of the file."""

import subprocess
from typing import IO, Final, NamedTuple, cast

from bench.measuring.process import environment
from bench.measuring.source import git

HEX: Final = 40
QUARTERS: Final = 4


class GitLine(NamedTuple):
    """Whom git blames for a line: a commit, and what it called the file."""

    commit: str
    path: str


class GitHistory:
    """The history of HEAD, read through one running git."""

    def __init__(self, where: str) -> None:
        self._where = where
        told = git(where, "rev-list", "--parents", "HEAD").decode().splitlines()
        self.parents = {line[:HEX]: line[HEX + 1 :].split() for line in told}
        self._process = subprocess.Popen(
            ["git", "-C", where, "cat-file", "--batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
        )
        self._ancestry: dict[tuple[str, str], bool] = {}
        self._texts: dict[tuple[str, str], list[bytes] | None] = {}

    def close(self) -> None:
        """End the running git."""
        cast("IO[bytes]", self._process.stdin).close()
        self._process.wait()
        cast("IO[bytes]", self._process.stdout).close()

    def snapshots(self) -> list[str]:
        """Return HEAD, and the commits a quarter, half and three quarters back from it."""
        line = git(self._where, "rev-list", "--first-parent", "HEAD").decode().split()
        places = dict.fromkeys(len(line) * quarter // QUARTERS for quarter in range(QUARTERS))
        return [line[place] for place in places]

    def touched(self, commit: str) -> dict[str, int]:
        """Return how many commits behind one, merges not counted, touched each path."""
        said = git(self._where, "log", "--format=", "--name-only", "--no-renames", "-z", commit)
        counts: dict[str, int] = {}
        for path in said.decode("utf-8", "surrogateescape").split("\0"):
            name = path.lstrip("\n")
            counts[name] = counts.get(name, 0) + 1
        return counts

    def files(self, commit: str) -> list[str]:
        """Return the regular files of a commit, in order of their paths."""
        said = git(self._where, "ls-tree", "-r", "-z", commit).decode(
            "utf-8", "surrogateescape"
        )
        entries = (entry.split("\t", 1) for entry in said.split("\0")[:-1])
        return sorted(path for head, path in entries if head.startswith("100"))

    def blame(self, commit: str, path: str) -> list[GitLine]:
        """Return whom git blames for each line of a file, whatever is configured."""
        words = ["blame", "--root", "--line-porcelain", commit, "--", path]
        lines: list[GitLine] = []
        blamed = name = ""
        for line in git(self._where, *words).split(b"\n"):
            if line.startswith(b"\t"):
                lines.append(GitLine(blamed, name))
                blamed = ""
            elif not blamed:
                blamed = line[:HEX].decode()
            elif line.startswith(b"filename "):
                name = line[9:].decode("utf-8", "surrogateescape")
        return lines

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Return whether a commit is behind another one, or is the same."""
        pair = older, newer
        if pair not in self._ancestry:
            self._ancestry[pair] = older in self._behind(newer, older)
        return self._ancestry[pair]

    def _behind(self, newer: str, older: str) -> set[str]:
        seen = {newer}
        stack = [newer]
        while stack and older not in seen:
            fresh = [oid for oid in self.parents[stack.pop()] if oid not in seen]
            seen.update(fresh)
            stack += fresh
        return seen

    def text(self, commit: str, path: str) -> list[bytes] | None:
        """Return the lines of a file of a commit; None where it has none of that path."""
        key = commit, path
        if key not in self._texts:
            self._texts[key] = self._read(f"{commit}:{path}")
        return self._texts[key]

    def _read(self, name: str) -> list[bytes] | None:
        stdin = cast("IO[bytes]", self._process.stdin)
        stdout = cast("IO[bytes]", self._process.stdout)
        stdin.write(name.encode("utf-8", "surrogateescape") + b"\n")
        stdin.flush()
        said = stdout.readline().split()
        if said[-1] == b"missing":
            return None
        data = stdout.read(int(said[2]) + 1)[:-1]
        return data.split(b"\n") if said[1] == b"blob" else None
