"""The trees that are measured on; all bytes follow from their names."""

import os
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from bench.threshold.built import path_of, text_of

LONG: Final = "long.txt"
_HEAVY: Final = 32 << 20
_MANY: Final = 50_000
_WORDS: Final = 4_000
_MEAN: Final = 18_900
"""Bytes of a mean file, so that 96,000 are 1.8 GB."""


class Tree(NamedTuple):
    """What there is in a tree, file by file, and which files are edited.

    Attributes:
        name: what kind of tree it is.
        sizes: how much there is of what.
        files: every path with its bytes.
        edited: the files that are edited, ten where there are as many.
        is_large: whether it takes so long that the first commit is made once only.
    """

    name: str
    sizes: Mapping[str, int]
    files: Callable[[], Iterator[tuple[str, bytes]]]
    edited: tuple[str, ...]
    is_large: bool = False

    @property
    def hot(self) -> str:
        """The file that is looked at closely."""
        return self.edited[0]


def flat(count: int) -> Tree:
    """Return a tree of files of 21 lines in 100 directories."""

    def files() -> Iterator[tuple[str, bytes]]:
        for number in range(count):
            yield path_of(number), text_of(number).encode()

    edited = tuple(path_of(number) for number in _some(count))
    return Tree("flat", {"files": count}, files, edited, is_large=count > _MANY)


def wide(count: int) -> Tree:
    """Return one directory of many files."""

    def files() -> Iterator[tuple[str, bytes]]:
        for number in range(count):
            yield f"f{number:06}.txt", text_of(number).encode()

    edited = tuple(f"f{number:06}.txt" for number in _some(count))
    return Tree("wide", {"files": count}, files, edited, is_large=count > _MANY)


def deep(depth: int) -> Tree:
    """Return a tree of one file in each of many levels."""
    tops = ["d/" * level for level in range(depth)]

    def files() -> Iterator[tuple[str, bytes]]:
        for number, top in enumerate(tops):
            yield top + "f.txt", text_of(number).encode()

    edited = tuple(f"{tops[number]}f.txt" for number in _some(depth))
    return Tree("deep", {"files": depth, "levels": depth}, files, edited)


def heavy(count: int, size: int = _HEAVY) -> Tree:
    """Return large binary files that nothing compresses; 64 are 2 GB."""

    def files() -> Iterator[tuple[str, bytes]]:
        for number in range(count):
            yield f"blob{number:03}.bin", b"\0" + _chance(number).randbytes(size - 1)
        yield from ((f"notes{number}.txt", text_of(number).encode()) for number in range(10))

    edited = tuple(f"notes{number}.txt" for number in range(10))
    megabytes = count * size // 1_000_000
    return Tree("heavy", {"files": count + 10, "MB": megabytes}, files, edited, is_large=True)


def long(lines: int) -> Tree:
    """Return a tree of one long file."""

    def files() -> Iterator[tuple[str, bytes]]:
        yield LONG, b"".join(b"line %d of many\n" % number for number in range(lines))

    return Tree("long", {"files": 1, "lines": lines}, files, (LONG,))


def like_source(count: int) -> Tree:
    """Return files of source-like sizes, no two alike."""
    words = [f"word{number:x}" for number in range(_WORDS)]

    def files() -> Iterator[tuple[str, bytes]]:
        for number in range(count):
            chance = _chance(number)
            size = int(chance.lognormvariate(0, 1.1) * _MEAN * 0.546)
            yield f"s{number % 800:03}/m{number // 800:04}.c", _source(chance, words, size)

    edited = tuple(f"s{number % 800:03}/m{number // 800:04}.c" for number in _some(count))
    return Tree("source", {"files": count}, files, edited, is_large=count > _MANY)


def _some(count: int) -> list[int]:
    """Return ten numbers apart, or as many as there are."""
    few = min(10, count)
    return [number * count // few for number in range(few)]


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


TREES: Final[Mapping[str, Callable[[int], Tree]]] = {
    "flat": flat,
    "wide": wide,
    "deep": deep,
    "heavy": heavy,
    "long": long,
    "source": like_source,
}
SIZES: Final[Mapping[str, int]] = {
    "flat": 1_000,
    "wide": 100_000,
    "deep": 512,
    "heavy": 64,
    "long": 100_000,
    "source": 96_000,
}
"""How large each is where no size is asked for: files, levels, files of 32 MB, lines."""


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
    """Change one line of a file, another each time."""
    where = os.path.join(top, path)
    with open(where, "rb") as file:
        lines = file.read().split(b"\n")
    lines[version * 7919 % max(1, len(lines) - 1)] = b"version %d" % version
    with open(where, "wb") as file:
        file.write(b"\n".join(lines))
