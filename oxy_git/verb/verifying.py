"""`oxy git verify`: work out every imported commit again (spec: git-bridge, GB29 to GB31)."""

from __future__ import annotations

import os

from oxy.cli.output import Styled
from oxy.repo.repository import opened
from oxy_git.verify.run import verify

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy_git.verify.result import Mismatch, Verification


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Work out the tree id of every imported commit again, from changes alone, and\n"
        "compare. Neither caches nor kept trees are read, nor the Git repository."
    )
    parser.epilog = (
        "example:\n  oxy git verify\n\n"
        "exit codes:\n  0 everything is as Git has it   1 something is not   3 no repository"
    )


def run(args: Namespace, out: Output) -> int:
    """Verify."""
    del args
    with opened(os.getcwdb()) as repository:
        found = verify(repository, out.progress())
    for mismatch in found.mismatches:
        tell(out, mismatch)
    if out.as_json:
        record(out, found)
    else:
        out.line(
            f"{found.commits} commits: {found.trees} trees hashed, {found.raw_trees} of them "
            f"kept raw; {found.files} files rendered and hashed; "
            f"{len(found.mismatches)} mismatches"
        )
        if found.tags:
            out.line(f"{found.tags} objects of tags have their ids")
        if found.missing:
            out.line(f"{found.missing} files were missing in Git, and are left out")
        if found.cut:
            out.line(f"{found.cut} commits were imported without all their parents")
    return int(bool(found.mismatches))


def tell(out: Output, mismatch: Mismatch) -> None:
    """Tell of one commit that is not as Git has it."""
    commit, path, what, others = mismatch
    if out.as_json:
        name = path or None
        out.record({"commit": commit.hex(), "path": name, "what": what, "others": others})
        return
    where = ("'", path, "'") if path else ("the commit",)
    more = f" (or one of {others} more files that it touches)" if others else ""
    out.line(Styled("warning", "mismatch"), f": {commit.hex()}: ", *where, f"{more}: {what}")


def record(out: Output, found: Verification) -> None:
    """Write the counts as one object."""
    out.record(
        {
            "commits": found.commits,
            "trees": found.trees,
            "raw_trees": found.raw_trees,
            "files": found.files,
            "mismatches": len(found.mismatches),
            "missing": found.missing,
            "cut": found.cut,
            "tags": found.tags,
        }
    )
