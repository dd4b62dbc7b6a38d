"""What does a merge cost in a large repository, beyond the walk?

Two bookmarks of 1,000 changes each in 100,000 files, which overlap in 10 files: in half of them
both edit the same line. Bounds: under 1 s beyond the walk, and 300 MB, as a whole process. Does
not show: what a peer takes; it has no merge of so many changes that are not merged one by one.
"""

import os
import re
import subprocess
import time
from resource import RUSAGE_CHILDREN, getrusage

from bench.measuring.asked import Found, asked, conclude, parser, recorded
from bench.measuring.figures import Sample, figure
from bench.measuring.process import OXY, environment, watched
from bench.measuring.record import OURS, Row
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


def merged(top: str) -> Row:
    """Merge once, and return what it took beyond its walks."""
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
    walks = sum(float(found) for found in WALK.findall(done.stderr))
    took = figure([Sample(seconds - walks / 1e3, processor)], ran.peak + ran.children)
    return Row(
        "merge, beyond the walk",
        "flat",
        {},
        {OURS: took},
        threshold=1.0,
        memory=300,
        facts={"walk ms": walks},
    )


def main() -> None:
    """Measure and print."""
    reads = parser(__doc__, size=10_000, counts="files", iters=1)
    reads.add_argument("--changes", type=int, default=200, metavar="N", help="of each side")
    args = reads.parse_args()
    said = asked(args)
    sizes = {"files": said.size, "changes": args.changes}

    def measure(top: str) -> Found:
        rows: list[Row] = []
        for number in range(said.iters):
            place = os.path.join(top, str(number))
            os.makedirs(place)
            built(place, said.size, args.changes)
            rows.append(merged(place)._replace(sizes=sizes))
        return Found(rows)

    conclude(recorded("merge-large", __doc__, said.place, measure), said.json)


if __name__ == "__main__":
    main()
