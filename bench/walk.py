"""Which way of looking at every file of a tree is the fastest that Python has, beside git's?

Each candidate stats every file once, in this process. Those that *pack* make the records that
the manifest has; the others show what a part of that costs. Git's is the whole of its status.

Does not show: the comparison with the manifest.
"""

import os
import time
from collections.abc import Callable
from functools import partial
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Final, NamedTuple

from bench.measuring.asked import Found, asked, conclude, parser, recorded
from bench.measuring.figures import Sample, alternating, figure
from bench.measuring.process import OXY, timed
from bench.measuring.record import OURS, Row
from bench.measuring.source import git
from bench.threshold.built import write
from oxy.worktree.listing import RECORD
from oxy.worktree.manifest import Manifest
from oxy.worktree.parallel import walk_whole
from oxy.worktree.walk import walk

GIT: Final = "git status"
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


def kept(place: Place) -> None:
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
    "scandir and os.stat with dir_fd, packs": kept,
}


def sampled(work: Callable[[], object]) -> Sample:
    """Do something once; the processor time of children that ended counts."""
    before, start = spent(), time.perf_counter()
    work()
    return Sample(time.perf_counter() - start, spent() - before)


def spent() -> float:
    """Return the seconds of processor time of this process and of its children that ended."""
    return sum(sum(getrusage(whose)[:2]) for whose in (RUSAGE_SELF, RUSAGE_CHILDREN))


def arms(top: str, known: list[Place]) -> dict[str, Callable[[], Sample]]:
    """Return what looks at every file of a tree: the candidates, the walk, and git."""
    manifest = Manifest.load(os.path.join(os.fsencode(top), b".oxy/cache/manifest"))
    root = known[0].fd
    works: dict[str, Callable[[], object]] = {
        name: partial(everywhere, look, known) for name, look in CANDIDATES.items()
    }
    works["the walk, one process"] = lambda: [*walk(root, manifest)]
    works["the walk, as many as pay"] = lambda: [*walk_whole(root, manifest)]
    made: dict[str, Callable[[], Sample]] = {
        name: partial(sampled, work) for name, work in works.items()
    }
    return made | {GIT: partial(timed, ("git", "status", "--porcelain"), top)}


def recorded_twice(top: str, files: int) -> None:
    """Make a tree that oxy and git have recorded."""
    for number in range(files):
        write(top, number)
    timed((*OXY, "init"), top)
    timed((*OXY, "commit", "-m", "all"), top)
    git(top, "init", "-q")
    git(top, "add", ".")
    git(top, "-c", "user.name=B", "-c", "user.email=b@example.org", "commit", "-qm", "all")


def main() -> None:
    """Measure and print."""
    said = asked(parser(__doc__, size=10_000, counts="files", iters=7).parse_args())

    def measure(top: str) -> Found:
        recorded_twice(top, said.size)
        known, here = places(top), os.getcwd()
        try:
            found = alternating(arms(top, known), said.iters)
        finally:
            os.chdir(here)
            for place in known:
                os.close(place.fd)
        figures = {name: figure(samples, 0) for name, samples in found.items()}
        other = figures.pop(GIT)
        sizes = {"files": said.size}
        rows = [
            Row(name, "flat", sizes, {OURS: own, GIT: other}, against=GIT)
            for name, own in figures.items()
        ]
        return Found(rows)

    conclude(recorded("walk", __doc__, said.place, measure), said.json)


if __name__ == "__main__":
    main()
