"""`oxy fsck`: is everything what it should be (spec: command-line, store ST26)."""

from __future__ import annotations

import os

from oxy.cli.failure import CORRUPTION
from oxy.cli.output import Styled
from oxy.repo.fsck import fsck, rebuild
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable

    from oxy.cli.output import Output
    from oxy.repo.check.finding import Finding


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Prove every digest, dependency, reference, line, index row and kept tree, and name\n"
        "what is damaged and what needs it."
    )
    parser.add_argument(
        "--rebuild",
        action="store_true",
        help="make the index anew from the segments instead, and remove the caches",
    )
    parser.epilog = (
        "example:\n  oxy fsck\n\n"
        "exit codes:\n  0 nothing is wrong   3 no repository   4 something is wrong"
    )


def run(args: Namespace, out: Output) -> int:
    """Check, or rebuild."""
    here = os.getcwdb()
    if args.rebuild:
        return told(out, rebuild(here), "the index is made anew; nothing is damaged")
    with opened(here) as repository:
        return told(out, fsck(repository, out.progress()), "nothing is wrong")


def told(out: Output, findings: Iterable[Finding], fine: str) -> int:
    """Tell what was found; return the exit code."""
    count = 0
    for count, finding in enumerate(findings, 1):  # noqa: B007 - the count is what is wanted
        area, what, change, path = finding
        if out.as_json:
            name = None if change is None else change.hex()
            out.record({"area": area, "what": what, "change": name, "path": path})
        else:
            where = () if path is None else (" (", path, ")")
            out.line(Styled("warning", area), ": ", what, *where)
    if not out.as_json:
        out.line(fine if not count else f"{count} {'thing' if count == 1 else 'things'} wrong")
    return CORRUPTION if count else 0
