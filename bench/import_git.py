"""How fast, in how much memory and how small are Git histories brought in, and is it all true?

Each source is copied first (branches, tags and HEAD, packed anew); then `oxy git import`
and `oxy git verify` run as whole processes. Bounds: at least 300 commits/s, less than 500 MB,
flat in the number of commits; no mismatch.
"""

import json
import os
import shutil
import statistics
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Final, NamedTuple, TypedDict, cast

from bench.measuring.process import OXY, ROOT, TENTHS, FailedError, Ran, watched
from bench.measuring.report import machine, table
from bench.measuring.source import Source, copied, size_of, source

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


def imported(git_dir: str, place: str, limit: int | None) -> Import:
    """Import a copy into a new repository and verify that."""
    limits = [] if limit is None else ["--limit", str(limit)]
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


def rows_of(name: str, runs: Sequence[Import]) -> tuple[list[str], list[str]]:
    """Return a source's rows in the table of figures and in that of memory over time."""
    last = runs[-1]
    seconds = statistics.median(run.arrived.seconds for run in runs)
    verifying = statistics.median(run.checked.seconds for run in runs)
    processor = statistics.median(run.arrived.processor for run in runs)
    commits = last.counts["commits"]
    figures = [
        name,
        f"{commits:,}",
        f"{last.counts['merges']:,}",
        f"{last.counts['files']:,}",
        f"{seconds:.1f}",
        f"{processor:.1f}",
        f"{commits / seconds:.0f}",
        f"{max(run.arrived.peak for run in runs):.0f}",
        f"{max(run.arrived.children for run in runs):.0f}",
        f"{last.store:.1f}",
        f"{last.packed:.1f}",
        f"{last.cache:.1f}",
        f"{verifying:.1f}",
        f"{max(run.checked.peak for run in runs):.0f}",
        str(max(run.found["mismatches"] for run in runs)),
    ]
    curve = [f"{size:.0f}" for size in last.arrived.curve] or ["-"] * TENTHS
    return figures, [name, *curve]


HEAD: Final = (
    "repository", "commits", "merges", "file changes", "seconds", "processor s", "commits/s",
    "peak MB", "git's MB", "store MB", "git packed MB", "caches MB", "verify s",
    "verify peak MB", "mismatches",
)  # fmt: skip


def show(found: dict[str, list[Import]]) -> None:
    """Print both tables."""
    rows = [rows_of(name, runs) for name, runs in found.items() if runs]
    print(table(HEAD, [figures for figures, _ in rows]))
    print("\nMemory of the import, in MB, when each tenth of the commits was first told:\n")
    tenths = [f"{tenth} %" for tenth in range(10, 101, 10)]
    print(table(["repository", *tenths], [curve for _, curve in rows]))
    print(f"\n{machine()}.")


def arguments() -> Namespace:
    """Return what is to be measured."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="*", metavar="[NAME=]SOURCE", type=source)
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N commits")
    parser.add_argument("--iters", type=int, default=1, metavar="N", help="rounds; medians")
    parser.add_argument("--dir", metavar="DIR", help="keep copies and repositories here")
    parser.add_argument("--json", metavar="FILE", help="write every run to a file")
    return parser.parse_args()


def measure(args: Namespace, top: str) -> dict[str, list[Import]]:
    """Measure every source in turn, round after round, so that a busy moment meets all."""
    sources: list[Source] = args.sources or [Source("oxy", str(ROOT))]
    found: dict[str, list[Import]] = {item.name: [] for item in sources}
    for number in range(args.iters):
        for item in sources:
            above = os.path.join(top, item.name.replace("/", "+"))
            git_dir = os.path.join(above, "copy.git")
            if not os.path.isdir(git_dir):
                copied(item.path, above)
            place = os.path.join(above, "oxy")
            shutil.rmtree(place, ignore_errors=True)
            try:
                found[item.name].append(imported(git_dir, place, args.limit))
            except FailedError as error:
                print(f"{item.name}, round {number + 1}: {error}")
    return found


def main() -> None:
    """Measure and print."""
    args = arguments()
    if args.dir is None:
        with tempfile.TemporaryDirectory() as top:
            found = measure(args, top)
    else:
        found = measure(args, os.path.abspath(args.dir))
    show(found)
    if args.json is not None:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(
                {name: [*map(plain, runs)] for name, runs in found.items()}, file, indent=1
            )


def plain(run: Import) -> dict[str, object]:
    """Return a run as JSON has it, without what the processes wrote."""
    whole: dict[str, object] = run._asdict()
    for name, ran in (("arrived", run.arrived), ("checked", run.checked)):
        figures: dict[str, object] = ran._asdict()
        del figures["output"]
        whole[name] = figures
    return whole


if __name__ == "__main__":
    main()
