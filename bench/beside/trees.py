"""The trees that are measured on; all bytes follow from their names."""

import os
import random
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from bench.threshold.built import HOT, path_of, text_of

LONG: Final = "long.txt"
_LONG_LINES: Final = 100_000
_DEPTH: Final = 512
_WIDE: Final = 100_000
_HEAVY: Final = (64, 32 << 20)
_WORDS: Final = 4_000
_LIKE_SOURCE: Final = 96_000
_MEAN: Final = 18_900
"""Bytes of a mean file, so that 96,000 are 1.8 GB."""


class Tree(NamedTuple):
    """What there is in a tree, file by file, and which files are edited."""

    name: str
    files: Callable[[], Iterator[tuple[str, bytes]]]
    edited: tuple[str, ...]
    hot: str


def flat(count: int) -> Tree:
    """Return a tree of files of 21 lines in 100 directories."""

    def files() -> Iterator[tuple[str, bytes]]:
        for number in range(count):
            yield path_of(number), text_of(number).encode()
        yield HOT, b"hot line 0\n"

    return Tree(
        f"{count:,} files", files, tuple(path_of(n * 31 % count) for n in range(10)), HOT
    )


def wide(count: int = _WIDE) -> Tree:
    """Return one directory of many files."""

    def files() -> Iterator[tuple[str, bytes]]:
        for number in range(count):
            yield f"f{number:06}.txt", text_of(number).encode()

    edited = tuple(f"f{number * 31 % count:06}.txt" for number in range(10))
    return Tree("one directory", files, edited, edited[0])


def deep(depth: int = _DEPTH) -> Tree:
    """Return a tree of one file in each of many levels."""
    tops = ["d/" * level for level in range(depth)]

    def files() -> Iterator[tuple[str, bytes]]:
        for number, top in enumerate(tops):
            yield top + "f.txt", text_of(number).encode()

    edited = tuple(f"{top}f.txt" for top in tops[:: max(1, depth // 10)][:10])
    return Tree("a deep tree", files, edited, edited[0])


def heavy(count: int = _HEAVY[0], size: int = _HEAVY[1]) -> Tree:
    """Return a tree of 2 GB in large binary files that nothing compresses."""

    def files() -> Iterator[tuple[str, bytes]]:
        for number in range(count):
            yield f"blob{number:03}.bin", b"\0" + _chance(number).randbytes(size - 1)
        yield from ((f"notes{number}.txt", text_of(number).encode()) for number in range(10))

    return Tree(
        "2 GB", files, tuple(f"notes{number}.txt" for number in range(10)), "notes0.txt"
    )


def long(lines: int = _LONG_LINES) -> Tree:
    """Return a tree of one long file."""

    def files() -> Iterator[tuple[str, bytes]]:
        yield LONG, b"".join(b"line %d of many\n" % number for number in range(lines))

    return Tree("one long file", files, (LONG,), LONG)


def like_source(count: int = _LIKE_SOURCE) -> Tree:
    """Return files of source-like sizes, no two alike."""
    words = [f"word{number:x}" for number in range(_WORDS)]

    def files() -> Iterator[tuple[str, bytes]]:
        for number in range(count):
            chance = _chance(number)
            size = int(chance.lognormvariate(0, 1.1) * _MEAN * 0.546)
            yield f"s{number % 800:03}/m{number // 800:04}.c", _source(chance, words, size)

    edited = tuple(f"s{number:03}/m0000.c" for number in range(10))
    return Tree("like source", files, edited, edited[0])


def _chance(number: int) -> random.Random:
    """Return chance that is the same in every run."""
    return random.Random(number)  # noqa: S311 - nothing here is secret


def _source(chance: random.Random, words: list[str], size: int) -> bytes:
    lines: list[str] = []
    written = 0
    while written < size:
        line = "    " * chance.randrange(4) + " ".join(chance.choices(words, k=7))
        lines.append(line)
        written += len(line) + 1
    return ("\n".join(lines) + "\n").encode()


def write(top: str, tree: Tree) -> None:
    """Write a tree to an empty directory."""
    made: set[str] = set()
    for path, data in tree.files():
        where = os.path.join(top, path)
        above = os.path.dirname(where)
        if above not in made:
            os.makedirs(above, exist_ok=True)
            made.add(above)
        with open(where, "wb") as file:
            file.write(data)


def edit(top: str, path: str, version: int) -> None:
    """Change one line in the middle of a file."""
    where = os.path.join(top, path)
    with open(where, "rb") as file:
        lines = file.read().split(b"\n")
    lines[len(lines) // 2] = b"version %d" % version
    with open(where, "wb") as file:
        file.write(b"\n".join(lines))
