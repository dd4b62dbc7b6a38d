"""What does a merge cost in a large repository, beyond the walk?

Two bookmarks of 1,000 changes each in 100,000 files, which overlap in 10 files: in half of them
both edit the same line. Bounds: under 1 s beyond the walk, and 300 MB, as a whole process.
"""

import os
import re
import subprocess
import tempfile
import time
from argparse import ArgumentParser
from resource import RUSAGE_CHILDREN, getrusage

from bench.measuring.process import OXY, environment, watched
from bench.measuring.report import machine, table
from bench.threshold.built import AUTHOR, path_of, write
from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.actions.switch import switch
from oxy.worktree.workcopy import working_copy

SHARED = 10
WALK = re.compile(rb"timings:   walk +([\d.]+)")


def edit(top: str, number: int, side: int, *, is_shared: bool) -> bytes:
    """Edit one file as one side does; return its path."""
    path = path_of(number)
    where = os.path.join(top, path)
    with open(where, "rb") as file:
        lines = file.read().split(b"\n")
    at = 10 if is_shared and number % 2 else 3 + 10 * side
    lines[at] = b"side %d was here" % side
    with open(where, "wb") as file:
        file.write(b"\n".join(lines))
    return path.encode()


def side(top: str, name: bytes, which: int, changes: int, files: int) -> None:
    """Record the changes of one bookmark, a file each."""
    root = os.fsencode(top)
    with working_copy(root) as copy:
        switch(copy, b"main", create=name)
    apart = 1 + which * (files // 2)
    numbers = [*range(SHARED), *range(apart + SHARED, apart + changes)]
    for number in numbers:
        path = edit(top, number, which, is_shared=number < SHARED)
        with working_copy(root) as copy:
            done = commit(copy, Request((path,), AUTHOR), lambda _: b"one more")
            assert done.id is not None


def built(top: str, files: int, changes: int) -> None:
    """Make the repository and both bookmarks."""
    root = os.fsencode(top)
    init(root)
    for number in range(files):
        write(top, number)
    with working_copy(root) as copy:
        commit(copy, Request(author=AUTHOR), lambda _: b"all files")
    for which, name in enumerate((b"left", b"right")):
        with working_copy(root) as copy:
            switch(copy, b"main")
        side(top, name, which, changes, files)
    with working_copy(root) as copy:
        switch(copy, b"left")


def merged(top: str) -> tuple[float, float, float, float]:
    """Merge; return the seconds of the process, processor and walks, and its peak in MB."""
    ran = watched([*OXY, "merge", "right", "--dry-run"], top)
    before = getrusage(RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(
        [*OXY, "merge", "right"],
        cwd=top,
        env=environment() | {"OXY_TIMINGS": "1"},
        capture_output=True,
        check=True,
    )
    seconds = time.perf_counter() - start
    assert done.stdout.count(b"\nC ") == SHARED // 2, done.stdout[-1000:]
    after = getrusage(RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    walks = sum(float(found) / 1e3 for found in WALK.findall(done.stderr))
    return seconds, processor, walks, ran.peak


def main() -> None:
    """Measure and print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000, metavar="N")
    parser.add_argument("--changes", type=int, default=200, metavar="N")
    parser.add_argument("--dir", default=tempfile.gettempdir())
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.dir) as top:
        built(top, args.files, args.changes)
        seconds, processor, walks, peak = merged(top)
    figures = (seconds, processor, walks, seconds - walks)
    cells = [*(f"{figure * 1e3:.0f}" for figure in figures), f"{peak:.0f}"]
    name = f"2 x {args.changes:,} changes, {args.files:,} files"
    print(
        table(["merge", "ms", "processor", "of it walk", "beyond", "peak MB"], [[name, *cells]])
    )
    print(f"\nOne run; {machine()}.")


if __name__ == "__main__":
    main()
