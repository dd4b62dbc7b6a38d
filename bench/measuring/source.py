"""Git repositories to measure on: made or copied so that only their content decides."""

import os
import subprocess
from typing import NamedTuple

from bench.measuring.process import environment


class Source(NamedTuple):
    """A Git repository, and what it is called in a table."""

    name: str
    path: str


def source(word: str) -> Source:
    """Return the source that `PATH` or `NAME=PATH` names.

    A directory whose own name says nothing is called as that above it.
    """
    name, sign, path = word.partition("=")
    if sign:
        return Source(name, path)
    path = named = os.path.abspath(word)
    while os.path.basename(named) in {".git", "repo"}:
        named = os.path.dirname(named)
    return Source(os.path.basename(named).removesuffix(".git").replace("+", "/"), path)


def git(where: str, *words: str, data: bytes = b"") -> bytes:
    """Return what a git command prints about a repository.

    Raises:
        CalledProcessError: it failed.
    """
    command = ["git", "-C", where, *words]
    done = subprocess.run(
        command, input=data, capture_output=True, check=True, env=environment()
    )
    return done.stdout


def copied(path: str, to: str) -> str:
    """Copy the branches, tags and HEAD of a repository; return where.

    It is packed anew: as it comes it has the deltas that its source happened to have.
    """
    os.makedirs(to)
    git(to, "clone", "--quiet", "--bare", "--no-local", os.path.abspath(path), "copy.git")
    place = os.path.join(to, "copy.git")
    git(place, "repack", "-a", "-d", "-f", "-q")
    return place


def size_of(path: str) -> float:
    """Return the size of all files in a directory, in MB."""
    total = sum(
        os.lstat(os.path.join(above, name)).st_size
        for above, _, names in os.walk(path)
        for name in names
    )
    return total / (1 << 20)
