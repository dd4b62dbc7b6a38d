"""The same repository in Git, and the steps that design 13 bounds by it, as whole processes."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from bench.beside.operations import FIRST, MODIFIED, OPERATIONS
from bench.beside.run import Bench
from bench.beside.systems import SYSTEMS
from bench.beside.trees import Tree, flat
from bench.measuring.figures import Figure
from bench.measuring.source import git
from bench.threshold.built import HOT, HOT_EVERY, edited, path_of, text_of
from bench.threshold.size import Size

ROUNDS: Final = 5
FIRST_ROUNDS: Final = 3
PAIR: Final = tuple(system for system in SYSTEMS if system.name in {"oxy", "git"})


def twin(top: str, size: Size) -> None:
    """Make the repository that `built` makes in Git: the same files, commit by commit."""
    os.makedirs(top)
    git(top, "init", "-q", "-b", "main")
    git(top, "fast-import", "--quiet", data=b"".join(_stream(size)))
    git(top, "reset", "--hard", "-q", "main")
    git(top, "gc", "-q")


def _stream(size: Size) -> Iterator[bytes]:
    hot = ["hot line 0\n"]
    yield _commit(b"all files")
    for number in range(size.files):
        yield _file(path_of(number), text_of(number))
    yield _file(HOT, "".join(hot))
    for change in range(1, size.changes + 1):
        yield _commit(b"change %d" % change)
        if change % HOT_EVERY == 0:
            hot.append(f"hot line {change}\n")
            yield _file(HOT, "".join(hot))
        else:
            number = edited(change, size.files)
            yield _file(path_of(number), text_of(number, change))


def _commit(message: bytes) -> bytes:
    who = b"committer Bench <bench@example.org> 1 +0000\n"
    return b"commit refs/heads/main\n" + who + b"data %d\n%b\n" % (len(message), message)


def _file(path: str, text: str) -> bytes:
    return b"M 644 inline %b\ndata %d\n%b\n" % (path.encode(), len(text), text.encode())


def beside(
    place: str, size: Size, operations: Iterable[str]
) -> dict[str, Mapping[str, Figure]]:
    """Return what operations take on both, as whole processes in turn.

    Args:
        place: holds the repository of oxy as `oxy`; that of Git is made beside it.
        size: of the repository.
        operations: those of `bench.beside`.
    """
    tops = {"oxy": os.path.join(place, "oxy"), "git": os.path.join(place, "git")}
    twin(tops["git"], size)
    hot_and_others = (HOT, *(path_of(number) for number in range(min(9, size.files))))
    bench = Bench(place, Tree("flat", {}, lambda: iter(()), hot_and_others), PAIR, tops)
    wanted = set(operations)
    found: dict[str, Mapping[str, Figure]] = {}
    for operation in OPERATIONS[1:]:
        if operation in wanted:
            found[operation] = bench.figures(operation, ROUNDS)
        if operation == MODIFIED:
            bench.settle()
    made = os.path.join(place, "first")
    os.makedirs(made)
    first = Bench(made, flat(size.files), PAIR).first_commits(FIRST_ROUNDS)
    return found | {FIRST: first}
