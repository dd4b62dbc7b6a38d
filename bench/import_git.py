"""How fast, in how much memory and how small are Git histories brought in, and is it all true?

Each source is copied first (branches, tags and HEAD, packed anew); then `oxy git import`,
`oxy git verify` and `oxy git export` run as whole processes, and what comes out is compared
with what went in. One source after the other, each told of when it is done. Bounds: at least
500 commits/s, less than 400 MB, flat in the number of commits; no mismatch. Does not show:
incremental imports, and how much of the time is git's.
"""

import json
import os
import shutil
from collections.abc import Sequence
from functools import partial
from subprocess import CalledProcessError
from typing import Final, NamedTuple, TypedDict, cast

from bench.measuring.asked import (
    Asked,
    Found,
    asked,
    conclude,
    parser,
    recorded,
    tell,
)
from bench.measuring.figures import Figure, Sample, figure
from bench.measuring.process import OXY, ROOT, TENTHS, FailedError, Ran, watched
from bench.measuring.record import OURS, Record, Row, decode, encode
from bench.measuring.source import Source, copied, git, size_of, source
from bench.measuring.table import table

MEMORY: Final = 400
"""MB that an import may have."""
NO: Final = 1
"""The exit code of a verification that found something."""
DAMAGED: Final = 4
"""The exit code of an import that meets an object that is missing."""
PHASES: Final = ("list", "bases", "graphs", "render", "build", "read", "store")


class Counts(TypedDict):
    """What `oxy git import` says that it did."""

    commits: int
    merges: int
    files: int
    missing: list[object]


class Verified(TypedDict):
    """What `oxy git verify` says that it found."""

    commits: int
    mismatches: int


class Import(NamedTuple):
    """One source, imported, verified and exported once.

    Attributes:
        counts: what there was.
        arrived: the process that imported.
        checked: the process that verified.
        left: the process that exported.
        mismatches: how many commits and tags are not as Git has them.
        changed: how many branches and tags came out with another id, or not at all.
        store: MB of the repository's own files; its caches are apart.
        cache: MB of caches, which can be deleted at any time.
        packed: MB of the same objects packed by git.
    """

    counts: Counts
    arrived: Ran
    checked: Ran
    left: Ran
    mismatches: int
    changed: int
    store: float
    cache: float
    packed: float


def imported(git_dir: str, place: str, limit: int) -> Import:
    """Import a repository into a new one, verify that, and export it."""
    limits = ["--limit", str(limit)] if limit else []
    words = ["--json", "git", "import", "--no-checkout", *limits]
    try:
        arrived = watched([*OXY, *words, git_dir, place], phases=True)
    except FailedError as error:
        if error.code != DAMAGED:
            raise
        shutil.rmtree(place, ignore_errors=True)
        arrived = watched([*OXY, *words, "--allow-missing", git_dir, place], phases=True)
    checked = watched([*OXY, "-C", place, "--json", "git", "verify"], codes=(0, NO))
    cache = size_of(os.path.join(place, ".oxy", "cache"))
    store = size_of(os.path.join(place, ".oxy")) - cache
    back = place + ".git"
    left = watched([*OXY, "-C", place, "--json", "git", "export", "--bare", back])
    found = cast("Verified", json.loads(checked.output.splitlines()[-1]))
    return Import(
        cast("Counts", json.loads(arrived.output.splitlines()[-1])),
        arrived,
        checked,
        left,
        found["mismatches"],
        len(refs_of(back) - refs_of(git_dir))
        if limit
        else len(refs_of(back) ^ refs_of(git_dir)),
        store,
        cache,
        size_of(os.path.join(git_dir, "objects")),
    )


def refs_of(git_dir: str) -> set[bytes]:
    """Return the branches and tags of a repository, each with its id."""
    form = "--format=%(objectname) %(refname)"
    return set(git(git_dir, "for-each-ref", form, "refs/heads", "refs/tags").splitlines())


def rows_of(name: str, runs: Sequence[Import]) -> list[Row]:
    """Return what each step took on a source, and the memory of the import as it grew."""
    last = runs[-1]
    commits = last.counts["commits"]
    arrived = _taken([run.arrived for run in runs])
    checked = _taken([run.checked for run in runs])
    left = _taken([run.left for run in runs])
    facts = {
        "merges": last.counts["merges"],
        "file changes": last.counts["files"],
        "missing files": len(last.counts["missing"]),
        "commits/s": commits / arrived.median,
        **{f"{name} s": last.arrived.phases.get(name, 0) for name in PHASES},
        "git's MB": max(run.arrived.children for run in runs),
        "store MB": last.store,
        "git packed MB": last.packed,
        "caches MB": last.cache,
    }
    proven = {
        "mismatches": max(run.mismatches for run in runs),
        "commits/s": commits / checked.median,
        "git's MB": max(run.checked.children for run in runs),
    }
    out = {
        "other ids": max(run.changed for run in runs),
        "commits/s": commits / left.median,
        "git's MB": max(run.left.children for run in runs),
    }
    sizes = {"commits": commits}
    return [
        Row("import", name, sizes, {OURS: arrived}, memory=MEMORY, facts=facts),
        Row("verify", name, sizes, {OURS: checked}, memory=MEMORY, facts=proven),
        Row("export", name, sizes, {OURS: left}, memory=MEMORY, facts=out),
        *grown(name, commits, last.arrived),
    ]


def grown(name: str, commits: int, arrived: Ran) -> list[Row]:
    """Return the memory of an import after each tenth of its commits, for a plot."""
    return [
        Row(
            "memory of the import so far",
            name,
            {"commits": commits * tenth // TENTHS},
            {OURS: Figure(size, size, size, 0, 0, 1)},
            unit="MB",
        )
        for tenth, size in enumerate(arrived.curve, 1)
    ]


def _taken(runs: Sequence[Ran]) -> Figure:
    samples = [Sample(run.seconds, run.processor) for run in runs]
    return figure(samples, max(run.peak for run in runs))


def curve(name: str, runs: Sequence[Import]) -> str:
    """Return the memory of the last import as it grew."""
    head = ["MB at", *(f"{tenth} %" for tenth in range(10, 101, 10))]
    sizes = [f"{size:.0f}" for size in runs[-1].arrived.curve] or ["-"] * TENTHS
    return table(head, [[name, *sizes]])


def measure(item: Source, said: Asked, top: str) -> Found:
    """Measure a source, round after round; what fails is told, and is no end."""
    runs: list[Import] = []
    failed: list[str] = []
    above = os.path.join(top, item.name.replace("/", "+"))
    git_dir = os.path.join(above, "copy.git")
    try:
        if not os.path.isdir(git_dir):
            copied(item.path, above)
    except CalledProcessError:
        # Where objects are missing, git copies nothing; import takes what is there.
        failed.append(f"{item.name}: no copy can be made; read where it is")
        git_dir = item.path
        shutil.rmtree(above, ignore_errors=True)
        os.makedirs(above)
    for number in range(said.iters):
        tell([item.name, "round", number + 1])
        place = os.path.join(above, "oxy")
        for old in (place, place + ".git"):
            shutil.rmtree(old, ignore_errors=True)
        try:
            runs.append(imported(git_dir, place, said.size))
        except (FailedError, CalledProcessError) as error:
            failed.append(f"{item.name}, round {number + 1}: {error}")
    if not runs:
        return Found([], failed)
    return Found(rows_of(item.name, runs), [curve(item.name, runs), *failed])


def measured(item: Source, said: Asked, keep: str | None, parts: str | None) -> Record:
    """Return the record of one source: the one in `parts`, if it is there already."""
    file = parts and os.path.join(parts, item.name.replace("/", "+") + ".json")
    if file and os.path.exists(file):
        with open(file, encoding="utf-8") as there:
            return decode(there.read(), file)

    def work(top: str) -> Found:
        return measure(item, said, os.path.abspath(keep or top))

    done = recorded("import-git", __doc__, said.place, work)
    # The memory on the way is for the report's plot; the notes tell it too.
    conclude(done._replace(rows=[row for row in done.rows if row.unit == "s"]), None)
    if file and done.rows:
        write(done, file)
    return done


def write(record: Record, name: str) -> None:
    """Write a record into a file."""
    os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
    with open(name, "w", encoding="utf-8") as file:
        file.write(encode(record))


def main() -> None:
    """Measure and print."""
    reads = parser(__doc__, size=0, counts="the first commits; 0 for all", iters=1)
    reads.add_argument("sources", nargs="*", metavar="[NAME=]SOURCE", type=source)
    reads.add_argument(
        "--repos", nargs="+", default=[], metavar="DIR", type=source, help="more sources"
    )
    reads.add_argument(
        "--commits", type=int, dest="size", metavar="N", help="the same as --size"
    )
    reads.add_argument("--keep", metavar="DIR", help="keep copies and repositories there")
    reads.add_argument(
        "--parts",
        metavar="DIR",
        help="write a record of each source there, and measure none that has one",
    )
    args = reads.parse_args()
    said = asked(args)
    named: list[Source] = [*args.sources, *args.repos] or [Source("oxy", str(ROOT))]
    sources = [item for item in named if said.wants(item.name)]
    found = [*map(partial(measured, said=said, keep=args.keep, parts=args.parts), sources)]
    if said.json is not None:
        write(together(found), said.json)


def together(found: Sequence[Record]) -> Record:
    """Return the records of some sources as one."""
    first = found[0]
    return first._replace(
        rows=[row for record in found for row in record.rows],
        notes=[note for record in found for note in record.notes],
        seconds=sum(record.seconds for record in found),
        peak=max(record.peak for record in found),
    )


if __name__ == "__main__":
    main()
