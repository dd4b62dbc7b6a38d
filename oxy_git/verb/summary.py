"""What an import has done, told (spec: git-bridge, GB28; command-line, L19)."""

from __future__ import annotations

from oxy.cli.outcome import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from oxy.actions.going import Went
    from oxy.cli.output import Output
    from oxy_git.importer.run import Report
    from oxy_git.importer.tally import Tally
    from oxy_git.verb.recursing import Nested

SHOWN = 5
"""Refs and paths that are named; the others are counted."""


def record(
    out: Output,
    root: bytes,
    report: Report,
    went: Went | None,
    seconds: float,
    nested: Sequence[Nested],
) -> None:
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
            "missing": [
                {"path": path, "blob": oid.hex()} for path, oid in sorted(tally.missing.items())
            ],
            "recognised": tally.recognised,
            "received": tally.received,
            "strangers": tally.strangers,
            "refs": refs.moved,
            "skipped": [{"ref": name, "reason": reason} for name, reason in refs.skipped],
            "passed": [
                {"prefix": prefix, "refs": number, "example": example}
                for prefix, number, example in report.passed
            ],
            "subrepos": [{"path": each.path, "reason": each.reason} for each in nested],
            "seconds": round(seconds, 3),
            "bookmark": report.here.bookmark if went is not None else None,
            "written": None if went is None else went.written,
        }
    )


def summary(
    out: Output,
    root: bytes,
    report: Report,
    went: Went | None,
    seconds: float,
    nested: Sequence[Nested],
) -> None:
    """Write the summary for people."""
    tally, refs = report.tally, report.refs
    out.line("imported into ", root)
    if report.commits or not report.already:
        rate = report.commits / seconds if seconds else 0
        there = f"; {_were(report.already)} there" if report.already else ""
        out.line(
            f"{counted(report.commits, 'commit')}, {tally.merges} of them "
            f"{'a merge' if tally.merges == 1 else 'merges'}, in {seconds:.1f} s: "
            f"{rate:.0f} commits/s{there}"
        )
        renames = "a rename" if tally.renames == 1 else "renames"
        out.line(f"{counted(tally.files, 'file change')}, {tally.renames} of them {renames}")
    else:
        out.line(f"no new commits; {_were(report.already)} there")
    tell_recognised(out, tally)
    tell_unusual(out, tally)
    skipped = f"; {len(refs.skipped)} skipped:" if refs.skipped else ""
    names = counted(refs.moved, "bookmark or tag", "bookmarks and tags")
    out.line(f"{names} moved{skipped}")
    examples(out, sorted(refs.skipped))
    for prefix, number, example in report.passed:
        which = (prefix, f": {number} refs, such as ") if number > 1 else ()
        out.line("passed over ", *which, example)
    for each in nested:
        out.line("subrepo ", each.path, ": ", each.reason or "imported")
    if went is not None:
        where = ("on ", report.here.bookmark) if report.here.bookmark else ("on no bookmark",)
        out.line(*where, f": {counted(went.written, 'file')} written")


def _were(number: int) -> str:
    return f"{number} {'was' if number == 1 else 'were'}"


def tell_unusual(out: Output, tally: Tally) -> None:
    """Tell what was not as oxy would have it."""
    if tally.raw_trees:
        are = "it is" if tally.raw_trees == 1 else "they are"
        trees = counted(tally.raw_trees, "tree")
        out.line(f"{trees} kept raw, for the way in which {are} written")
    if tally.withheld:
        out.line(
            f"{counted(len(tally.withheld), 'path')} withheld, since no file may be called so:"
        )
        examples(out, sorted(tally.withheld.items()))
    if tally.missing:
        out.line(
            f"{counted(len(tally.missing), 'file')} left out, since Git does not have "
            f"{'it' if len(tally.missing) == 1 else 'them'}:"
        )
        examples(out, sorted((path, oid.hex()) for path, oid in tally.missing.items()))


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
