"""How fast, in how much memory and how small are Git histories brought in, and is it all true?

Each source is copied first (branches, tags and HEAD, packed anew); then `oxy git import`
and `oxy git verify` run as whole processes. Bounds: at least 500 commits/s, less than 400 MB,
flat in the number of commits; no mismatch. Does not show: incremental imports, and how much of
the time is git's.
"""

import json
import os
import shutil
from collections.abc import Sequence
from typing import Final, NamedTuple, TypedDict, cast

from bench.measuring.asked import (
    Asked,
    Found,
    asked,
    conclude,
    parser,
    question_of,
    recorded,
    tell,
)
from bench.measuring.figures import Figure, Sample, figure
from bench.measuring.process import OXY, ROOT, TENTHS, FailedError, Ran, watched
from bench.measuring.record import OURS, Row
from bench.measuring.source import Source, copied, size_of, source
from bench.measuring.table import table

MEMORY: Final = 400
"""MB that an import may have."""
MISMATCHES: Final = 1
"""The exit code of a verification that found something."""


class Counts(TypedDict):
    """What `oxy git import` says that it did."""

    commits: int
    merges: int
    files: int


class Verified(TypedDict):
    """What `oxy git verify` says that it found."""

    commits: int
    mismatches: int


class Import(NamedTuple):
    """One source, imported and verified once.

    Attributes:
        counts: what there was.
        arrived: the process that imported.
        checked: the process that verified.
        found: what it found.
        store: MB of the repository's own files; its caches are apart.
        cache: MB of caches, which can be deleted at any time.
        packed: MB of the same objects packed by git.
    """

    counts: Counts
    arrived: Ran
    checked: Ran
    found: Verified
    store: float
    cache: float
    packed: float


def imported(git_dir: str, place: str, limit: int) -> Import:
    """Import a copy into a new repository and verify that."""
    limits = ["--limit", str(limit)] if limit else []
    words = ["--json", "git", "import", *limits, git_dir, place]
    arrived = watched([*OXY, *words])
    checked = watched([*OXY, "-C", place, "--json", "git", "verify"], codes=(0, MISMATCHES))
    cache = size_of(os.path.join(place, ".oxy", "cache"))
    return Import(
        cast("Counts", json.loads(arrived.output.splitlines()[-1])),
        arrived,
        checked,
        cast("Verified", json.loads(checked.output.splitlines()[-1])),
        size_of(os.path.join(place, ".oxy")) - cache,
        cache,
        size_of(os.path.join(git_dir, "objects")),
    )


def rows_of(name: str, runs: Sequence[Import]) -> list[Row]:
    """Return what the imports and the verifications of a source took."""
    last = runs[-1]
    commits = last.counts["commits"]
    arrived = _taken([run.arrived for run in runs])
    facts = {
        "merges": last.counts["merges"],
        "file changes": last.counts["files"],
        "commits/s": commits / arrived.median,
        "git's MB": max(run.arrived.children for run in runs),
        "store MB": last.store,
        "git packed MB": last.packed,
        "caches MB": last.cache,
    }
    found = {"mismatches": max(run.found["mismatches"] for run in runs)}
    checked = _taken([run.checked for run in runs])
    sizes = {"commits": commits}
    return [
        Row("import", name, sizes, {OURS: arrived}, memory=MEMORY, facts=facts),
        Row("verify", name, sizes, {OURS: checked}, memory=MEMORY, facts=found),
    ]


def _taken(runs: Sequence[Ran]) -> Figure:
    samples = [Sample(run.seconds, run.processor) for run in runs]
    return figure(samples, max(run.peak for run in runs))


def curves(found: dict[str, list[Import]]) -> str:
    """Return the memory of the last import of each source as it grew."""
    head = ["MB at", *(f"{tenth} %" for tenth in range(10, 101, 10))]
    rows = [
        [name, *([f"{size:.0f}" for size in runs[-1].arrived.curve] or ["-"] * TENTHS)]
        for name, runs in found.items()
        if runs
    ]
    return table(head, rows)


def measure(sources: Sequence[Source], said: Asked, top: str) -> Found:
    """Measure every source in turn, round after round, so that a busy moment meets all."""
    found: dict[str, list[Import]] = {item.name: [] for item in sources}
    failed: list[str] = []
    for number in range(said.iters):
        for item in sources:
            tell([item.name, "round", number + 1])
            above = os.path.join(top, item.name.replace("/", "+"))
            git_dir = os.path.join(above, "copy.git")
            if not os.path.isdir(git_dir):
                copied(item.path, above)
            place = os.path.join(above, "oxy")
            shutil.rmtree(place, ignore_errors=True)
            try:
                found[item.name].append(imported(git_dir, place, said.size))
            except FailedError as error:
                failed.append(f"{item.name}, round {number + 1}: {error}")
    rows = [row for name, runs in found.items() if runs for row in rows_of(name, runs)]
    return Found(rows, [curves(found), *failed])


def main() -> None:
    """Measure and print."""
    reads = parser(__doc__, size=0, counts="the first commits; 0 for all", iters=1)
    reads.add_argument("sources", nargs="*", metavar="[NAME=]SOURCE", type=source)
    reads.add_argument("--keep", metavar="DIR", help="keep copies and repositories there")
    args = reads.parse_args()
    said = asked(args)
    named: list[Source] = args.sources or [Source("oxy", str(ROOT))]
    sources = [item for item in named if said.wants(item.name)]
    keep: str | None = args.keep

    def work(top: str) -> Found:
        return measure(sources, said, os.path.abspath(keep or top))

    conclude(recorded("import-git", question_of(__doc__), said.place, work), said.json)


if __name__ == "__main__":
    main()
