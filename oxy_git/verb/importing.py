"""`oxy git import`: bring in the history of a Git repository (spec: GB20 to GB28)."""

from __future__ import annotations

import os
from time import monotonic

from oxy.cli.clock import stamp
from oxy.cli.outcome import counted
from oxy_git.importer.run import import_git
from oxy_git.reader.git import Git
from oxy_git.verb.arrival import arrive
from oxy_git.verb.destination import destination, opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.going import Went
    from oxy.cli.output import Output
    from oxy_git.importer.run import Report
    from oxy_git.importer.tally import Tally

GOES_ON = "what was imported in whole batches is kept; run it again to go on"
SHOWN = 5
"""Refs and paths that are named; the others are counted."""


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Bring in every branch and tag of a Git repository: each commit becomes a change,\n"
        "each branch a bookmark. Done again, it brings in what is new, and goes on where it\n"
        "was interrupted. A fresh repository then has the files of HEAD."
    )
    parser.add_argument("source", metavar="SOURCE", help="the directory of a Git repository")
    parser.add_argument(
        "directory",
        nargs="?",
        metavar="DIR",
        help="where to (the repository here; else a new directory called as SOURCE)",
    )
    parser.add_argument(
        "--limit", type=count, metavar="N", help="only the first N commits, parents first"
    )
    parser.add_argument(
        "--no-checkout", action="store_true", help="write no files of the working copy"
    )
    parser.epilog = (
        "example:\n  oxy git import ~/src/project\n\n"
        "exit codes:\n  0 fine   2 no Git repository, or one that cannot be imported\n"
        "  3 git failed   4 an object is missing   130 interrupted: run it again to go on"
    )


def count(word: str) -> int:
    """Return the number that a word is.

    Raises:
        ArgumentTypeError: it is none.
    """
    if not word.isascii() or not word.isdigit():
        from argparse import ArgumentTypeError

        message = f"'{word}' is no number of commits"
        raise ArgumentTypeError(message)
    return int(word)


def run(args: Namespace, out: Output) -> None:
    """Import, and go to where HEAD is."""
    start = monotonic()
    source = os.fsencode(args.source)
    # A source that cannot be read leaves no empty directory behind.
    git = Git(source)
    root = destination(source, None if args.directory is None else os.fsencode(args.directory))
    command = f"git import {args.source}"
    repository = opened(root)
    try:
        report = import_git(repository, git, lambda: stamp(command), out.progress(), args.limit)
    except KeyboardInterrupt:
        out.note(GOES_ON)
        raise
    finally:
        repository.close()
    seconds = monotonic() - start
    tell = record if out.as_json else summary
    went = arrive(root, report.here, stamp(command), checkout=not args.no_checkout)
    tell(out, root, report, went, seconds)


def record(out: Output, root: bytes, report: Report, went: Went | None, seconds: float) -> None:
    """Write the summary as one object."""
    tally, refs = report.tally, report.refs
    out.record(
        {
            "path": root,
            "commits": report.commits,
            "already": report.already,
            "merges": tally.merges,
            "files": tally.files,
            "renames": tally.renames,
            "raw_trees": tally.raw_trees,
            "withheld": [
                {"path": path, "rule": rule} for path, rule in sorted(tally.withheld.items())
            ],
            "recognised": tally.recognised,
            "received": tally.received,
            "strangers": tally.strangers,
            "refs": refs.moved,
            "skipped": [{"ref": name, "reason": reason} for name, reason in refs.skipped],
            "seconds": round(seconds, 3),
            "bookmark": report.here.bookmark if went is not None else None,
            "written": None if went is None else went.written,
        }
    )


def summary(
    out: Output, root: bytes, report: Report, went: Went | None, seconds: float
) -> None:
    """Write the summary for people."""
    tally, refs = report.tally, report.refs
    out.line("imported into ", root)
    if report.commits or not report.already:
        rate = report.commits / seconds if seconds else 0
        there = f"; {report.already} were there" if report.already else ""
        out.line(
            f"{report.commits} commits, {tally.merges} of them merges, in {seconds:.1f} s: "
            f"{rate:.0f} commits/s{there}"
        )
        out.line(f"{tally.files} file changes, {tally.renames} of them renames")
    else:
        out.line(f"no new commits; {report.already} were there")
    tell_recognised(out, tally)
    if tally.raw_trees:
        out.line(f"{tally.raw_trees} trees kept raw, for the way in which they are written")
    if tally.withheld:
        out.line(f"{len(tally.withheld)} paths withheld, since no file may be called so:")
        examples(out, sorted(tally.withheld.items()))
    skipped = f"; {len(refs.skipped)} skipped:" if refs.skipped else ""
    out.line(f"{refs.moved} bookmarks and tags moved{skipped}")
    examples(out, sorted(refs.skipped))
    if went is not None:
        where = ("on ", report.here.bookmark) if report.here.bookmark else ("on no bookmark",)
        out.line(*where, f": {went.written} files written")


def tell_recognised(out: Output, tally: Tally) -> None:
    """Tell which commits oxy made."""
    if tally.recognised:
        came = f"; {counted(tally.received)} came along" if tally.received else ""
        out.line(f"commits that oxy made: {tally.recognised}{came}")
    tell_strangers(out, tally)


def tell_strangers(out: Output, tally: Tally) -> None:
    """Tell how many commits could not be known again."""
    if tally.strangers:
        told = "commits that say they are oxy's, without a change that proves it: "
        out.line(told, f"{tally.strangers}")


def examples(out: Output, found: list[tuple[bytes, str]]) -> None:
    """Write the first of some names, each with the reason."""
    for name, reason in found[:SHOWN]:
        out.line("  ", name, " ", reason)
    if len(found) > SHOWN:
        out.line(f"  and {len(found) - SHOWN} more")
