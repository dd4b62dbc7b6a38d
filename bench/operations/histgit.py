"""Histories that git takes in at once, by `git fast-import`, to be measured beside oxy's."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bench.measuring.source import git


class Commit(NamedTuple):
    """A commit: its parents by their place in the history, from 0, and the files it writes."""

    parents: Sequence[int]
    files: Mapping[str, bytes]


def stream(history: Iterable[Commit], branch: str = "main") -> bytes:
    """Return what fast-import reads; the last commit is that of the branch."""
    parts: list[bytes] = []
    for number, commit in enumerate(history):
        parts.append(b"commit refs/heads/%b\nmark :%d\n" % (branch.encode(), number + 1))
        parts.append(b"committer Bench <bench@example.org> %d +0000\n" % (number + 1))
        text = b"number %d\n" % number
        parts.append(b"data %d\n%b" % (len(text), text))
        for at, parent in enumerate(commit.parents):
            parts.append(b"%b :%d\n" % (b"merge" if at else b"from", parent + 1))
        for path, data in commit.files.items():
            parts.append(b"M 100644 inline %b\n" % path.encode())
            parts.append(b"data %d\n%b\n" % (len(data), data))
        parts.append(b"\n")
    return b"".join([*parts, b"done\n"])


def repository(path: str, history: Iterable[Commit]) -> list[str]:
    """Make a bare repository of a history; return the ids of its commits, in order."""
    os.makedirs(path)
    git(path, "init", "--bare", "--quiet", "--initial-branch=main")
    marks = os.path.join(path, "marks")
    words = ("fast-import", "--quiet", "--done", f"--export-marks={marks}")
    git(path, "-c", "core.fsync=none", *words, data=stream(history))
    with open(marks, encoding="ascii") as file:
        told = dict(line[1:].split() for line in file)
    return [told[f"{number}"] for number in range(1, len(told) + 1)]
