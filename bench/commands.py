"""Is each command that touches a few files under 150 ms, in 10,000 files and 5,000 changes?

Whole processes, one after the other in one repository, as in a day's work: each round edits
a few files, records them in several ways, looks, moves, rewrites and takes back. On a busy
machine the processor time is what to read. Does not show: what grows with the tree by its
nature (a first commit, `files`, `grep` and `archive` of everything, `fsck`, `clone`), a cold
disk.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from bench.curves import Place
from bench.measuring.asked import Found, asked, conclude, parser, recorded, tell
from bench.measuring.figures import Sample, figure
from bench.measuring.process import OXY, timed, watched
from bench.measuring.record import OURS, Row
from bench.threshold.built import LINES, path_of, write

FILES: Final = 10_000
CHANGES: Final = 5_000
THRESHOLD: Final = 0.15
DIRECTORY: Final = "dir07"
PATCH: Final = "edits.patch"


class Step(NamedTuple):
    """A command, what is done before it outside of the clock, and the codes it may end with."""

    words: str
    before: Callable[[str, int], None] | None = None
    codes: tuple[int, ...] = (0,)


def edits(*numbers: int, again: int = 0) -> Callable[[str, int], None]:
    """Return what rewrites a line of some ordinary files; again: the same line otherwise."""

    def work(top: str, turn: int) -> None:
        for number in numbers:
            write(top, number, 10_000 + turn + again * LINES)

    return work


def one_more(top: str, turn: int) -> None:
    """Put a file there that nobody tracks."""
    with open(os.path.join(top, f"scrap-{turn}"), "w", encoding="ascii") as file:
        file.write("scrap\n")


def patch(top: str, turn: int) -> None:
    """Have a patch beside the repository that changes one file."""
    write(top, 31, 20_000 + turn)
    made = watched([*OXY, "diff"], top).output
    with open(os.path.join(top, "..", PATCH), "wb") as file:
        file.write(made)
    watched([*OXY, "discard", path_of(31)], top)


def recorded_edits(*numbers: int) -> Callable[[str, int], None]:
    """Return what rewrites some files and records them, outside of the clock."""
    edit = edits(*numbers)

    def work(top: str, turn: int) -> None:
        edit(top, turn)
        watched([*OXY, "commit", "-m", f"Edit {numbers[0]}"], top)

    return work


A, B, C = path_of(7), path_of(107), path_of(207)

STEPS: Final = (
    Step("status", edits(7, 107, 207)),
    Step("status -s"),
    Step(f"status {A}"),
    Step("diff"),
    Step("diff --stat"),
    Step("hunks"),
    Step(f"commit -m One {A}"),
    Step("commit -m Two --hunk 1"),
    Step("commit -m Three"),
    Step("status --ignored"),
    Step("log -n 10"),
    Step("log --graph -n 10"),
    Step(f"log -n 5 {A}"),
    Step("show"),
    Step(f"blame {A}"),
    Step(f"cat {A} --at @~2"),
    Step(f"grep version {A}"),
    Step("deps"),
    Step("describe --always"),
    Step(f"archive @ {A} -o ../made.tar"),
    Step("bookmark"),
    Step("bookmark made-TURN"),
    Step("bookmark -d made-TURN"),
    Step("tag t-TURN"),
    Step("tag"),
    Step("switch -c topic-TURN"),
    Step("switch main", recorded_edits(8)),
    Step("merge topic-TURN", recorded_edits(9)),
    Step("undo"),
    Step("redo"),
    Step("op log -n 10"),
    Step("op show 10"),
    Step("unrecord topic-TURN"),
    Step("pick topic-TURN"),
    Step("revert @", recorded_edits(12)),
    Step("uncommit"),
    Step("discard --all"),
    Step("amend", edits(12, again=1)),
    Step("reword @ -m Renamed"),
    Step("fold @ @~1 -m Both", recorded_edits(10)),
    Step("split @ PATH -m First", recorded_edits(11, 14)),
    Step("absorb", edits(11, again=1)),
    Step("switch @~1 -c side-TURN"),
    Step("rebase --onto main", recorded_edits(15)),
    Step("bookmark --move main @"),
    Step("bookmark -m side-TURN aside-TURN"),
    Step(f"mv {A} {A}.moved"),
    Step(f"mv {A}.moved {A}"),
    Step(f"rm {B}"),
    Step(f"restore {B} --from @"),
    Step("shelve", edits(7, again=1)),
    Step("shelve --list"),
    Step("unshelve"),
    Step(f"discard {A}"),
    Step("clean", one_more),
    Step("track scrap-TURN", one_more),
    Step("untrack scrap-TURN"),
    Step(f"apply ../{PATCH}", patch),
    Step("commit -m Applied"),
    Step("bisect start @ @~8"),
    Step("bisect good"),
    Step("bisect reset"),
    Step("bundle create ../made.bundle --since @~3"),
    Step("bundle inspect ../made.bundle"),
    Step("checkpoint"),
    Step("resolve", codes=(0, 1)),
    Step("workspace list"),
    Step("subrepo list"),
    Step("remote list"),
    Step("config list"),
    Step("config set merge.tool meld"),
    Step("completion bash"),
    Step("help"),
    Step("help commit"),
    Step("version"),
)


def _words(line: str, turn: int) -> Iterator[str]:
    for word in line.split():
        yield word.replace("TURN", str(turn)).replace("PATH", path_of(11))


def day(top: str, turn: int, taken: dict[str, list[Sample]]) -> None:
    """Do everything once, and add what it took."""
    for step in STEPS:
        if step.before is not None:
            step.before(top, turn)
        sample = timed([*OXY, *_words(step.words, turn)], top, codes=step.codes)
        taken.setdefault(step.words, []).append(sample)


def over(rows: Sequence[Row]) -> str:
    """Return which commands take more than that of the processor."""
    found = [row.operation for row in rows if row.figures[OURS].processor > THRESHOLD]
    return f"over {THRESHOLD * 1000:.0f} ms of processor time: {', '.join(found) or 'none'}"


def main() -> None:
    """Build the repository, go through some days, and print medians."""
    reads = parser(__doc__, size=FILES, counts="files", iters=3)
    reads.add_argument("--changes", type=int, default=CHANGES, metavar="N")
    args = reads.parse_args()
    said, changes = asked(args), args.changes

    def measure(top: str) -> Found:
        place = Place(os.path.join(top, "work"), said.size)
        place.grow(changes)
        taken: dict[str, list[Sample]] = {}
        for turn in range(said.iters):
            tell([f"day {turn + 1} of {said.iters}"])
            day(place.top, turn, taken)
        sizes = {"files": said.size, "changes": changes}
        rows = [
            Row(words, "flat", sizes, {OURS: figure(samples, 0)}, threshold=THRESHOLD)
            for words, samples in taken.items()
            if said.wants(words)
        ]
        return Found(rows, [over(rows)])

    conclude(recorded("commands", __doc__, said.place, measure), said.json)


if __name__ == "__main__":
    main()
