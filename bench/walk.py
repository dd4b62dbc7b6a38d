"""Which way of looking at every file of a tree is the fastest that Python has, beside git's?

Each candidate stats every file once. Those marked *packs* make the records that the manifest
has; the others show what a part of that costs. Times are the best of all rounds.
"""

import os
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Final, NamedTuple

from bench.measuring.process import OXY, timed
from bench.measuring.report import machine, table
from bench.status_git import prepared
from oxy.worktree.listing import RECORD
from oxy.worktree.manifest import Manifest
from oxy.worktree.parallel import walk_whole
from oxy.worktree.walk import walk

OWN: Final = {".git", ".oxy"}


class Place(NamedTuple):
    """A directory: its descriptor, and the names of the files in it."""

    fd: int
    names: list[bytes]


def places(top: str) -> list[Place]:
    """Return every directory of a tree, open."""
    found = []
    for path, directories, files in os.walk(top):
        directories[:] = [name for name in directories if name not in OWN]
        found.append(Place(os.open(path, os.O_RDONLY), [os.fsencode(name) for name in files]))
    return found


def packed(status: os.stat_result) -> bytes:
    """Return the record of a stat."""
    s = status
    return RECORD.pack(s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino, s.st_mode)


def listed(place: Place) -> None:
    """List a directory, with the kinds of what is in it."""
    with os.scandir(place.fd) as entries:
        for entry in entries:
            entry.is_dir(follow_symlinks=False)


def named(place: Place) -> None:
    """List a directory, names alone."""
    os.listdir(place.fd)


def statted(place: Place) -> None:
    """Stat every file by its name and the descriptor."""
    for name in place.names:
        os.stat(name, dir_fd=place.fd, follow_symlinks=False)


def entered(place: Place) -> None:
    """Go into the directory, and stat every file by its name."""
    os.fchdir(place.fd)
    for name in place.names:
        os.lstat(name)


def scanned(place: Place) -> None:
    """List, and stat what the list holds."""
    with os.scandir(place.fd) as entries:
        for entry in entries:
            packed(entry.stat(follow_symlinks=False))


def recorded(place: Place) -> None:
    """List, and stat every file by its name and the descriptor."""
    listed(place)
    for name in place.names:
        packed(os.stat(name, dir_fd=place.fd, follow_symlinks=False))


def everywhere(look: Callable[[Place], None], known: list[Place]) -> None:
    """Look at every directory."""
    for place in known:
        look(place)


CANDIDATES: Final = {
    "scandir": listed,
    "listdir": named,
    "os.stat with dir_fd": statted,
    "fchdir and os.lstat": entered,
    "scandir and DirEntry.stat, packs": scanned,
    "scandir and os.stat with dir_fd, packs": recorded,
}


def spent() -> float:
    """Return the seconds of processor time of this process and of its children that ended."""
    return sum(sum(getrusage(whose)[:2]) for whose in (RUSAGE_SELF, RUSAGE_CHILDREN))


def best(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return the least seconds of processor time, and of wall-clock time."""
    processor, wall = [], []
    for _ in range(rounds):
        before, start = spent(), time.perf_counter()
        work()
        wall.append(time.perf_counter() - start)
        processor.append(spent() - before)
    return min(processor), min(wall)


def measured(top: str, rounds: int) -> dict[str, tuple[float, float]]:
    """Return what every candidate and the walk itself take in a recorded tree."""
    known = places(top)
    here = os.getcwd()
    found = {}
    for name, look in CANDIDATES.items():
        found[name] = best(partial(everywhere, look, known), rounds)
    os.chdir(here)
    manifest = Manifest.load(os.path.join(os.fsencode(top), b".oxy/cache/manifest"))
    root = known[0].fd
    found["the walk, one process"] = best(lambda: [*walk(root, manifest)], rounds)
    found["the walk, as many as pay"] = best(lambda: [*walk_whole(root, manifest)], rounds)
    for place in known:
        os.close(place.fd)
    return found


def main() -> None:
    """Measure and print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000, metavar="N")
    parser.add_argument("--rounds", type=int, default=7, metavar="N")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as top:
        trees, paths = prepared(top, args.files)
        found = measured(trees["oxy"], args.rounds)
        for name, command in (
            ("oxy status, whole process", [*OXY, "status"]),
            ("git status, whole process", ["git", "status", "--porcelain"]),
        ):
            runs = [timed(command, trees[name.split()[0]]) for _ in range(args.rounds)]
            found[name] = (min(r.processor for r in runs), min(r.seconds for r in runs))
    rows = [
        [name, f"{a * 1e3:.1f}", f"{a * 1e9 / len(paths) * 2:.0f}", f"{b * 1e3:.1f}"]
        for name, (a, b) in found.items()
    ]
    print(table([f"{args.files:,} files", "processor ms", "ns a file", "wall ms"], rows))
    print(f"\nBest of {args.rounds} rounds; {machine()}.")


if __name__ == "__main__":
    main()
