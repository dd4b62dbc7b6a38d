"""`oxy git verify`: work out imported commits again (spec: git-bridge, GB29 to GB31, GB57)."""

from __future__ import annotations

import os

from oxy.cli.number import whole
from oxy.cli.outcome import counted
from oxy.cli.output import Styled
from oxy.repo.repository import opened
from oxy_git.verb.among import among, fraction, jobs_of
from oxy_git.verify.choice import Choice
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
    parser.add_argument(
        "range",
        nargs="?",
        metavar="STATE|A..B",
        help="only commits in a state, or in B and not in A: states, or ids of commits",
    )
    parser.add_argument(
        "--sample",
        type=fraction,
        metavar="N|N%",
        help="only so many of them, or such a part, at least one",
    )
    parser.add_argument(
        "--seed", type=whole, default=0, metavar="N", help="which the sample has (0)"
    )
    parser.add_argument(
        "--jobs",
        type=jobs_of,
        metavar="N",
        help="how many processes may work (one for each processor)",
    )
    parser.epilog = (
        "examples:\n  oxy git verify\n"
        "  oxy git verify --sample 5% --seed 7\n"
        "  oxy git verify v1.0..main\n\n"
        "exit codes:\n  0 all of it is as Git has it   1 something is not   2 no such state\n"
        "  3 no repository   4 something that it needs is damaged"
    )


def run(args: Namespace, out: Output) -> int:
    """Verify."""
    from oxy.processors import processors

    with opened(os.getcwdb()) as repository:
        changes = None if args.range is None else among(repository, os.fsencode(args.range))
        choice = Choice(changes, args.sample, args.seed)
        found = verify(repository, out.progress(), choice, args.jobs or processors())
    for mismatch in found.mismatches:
        tell(out, mismatch)
    if out.as_json:
        record(out, found)
    else:
        summary(out, found)
    return int(bool(found.mismatches))


def summary(out: Output, found: Verification) -> None:
    """Write the counts."""
    commits = counted(found.commits, "commit")
    of_all = f" of {found.imported}" if found.commits != found.imported else ""
    out.line(
        f"{commits}{of_all}: {counted(found.trees, 'tree')} hashed, {found.raw_trees} of "
        f"them kept raw; {counted(found.files, 'file')} rendered and hashed; "
        f"{counted(len(found.mismatches), 'mismatch', 'mismatches')}"
    )
    if found.tags:
        have = "has its id" if found.tags == 1 else "have their ids"
        out.line(f"{counted(found.tags, 'object')} of tags {have}")
    if found.missing:
        were = (
            "was missing in Git, and is"
            if found.missing == 1
            else "were missing in Git, and are"
        )
        out.line(f"{counted(found.missing, 'file')} {were} left out")
    if found.cut:
        was = "was" if found.cut == 1 else "were"
        out.line(f"{counted(found.cut, 'commit')} {was} imported without all their parents")


def tell(out: Output, mismatch: Mismatch) -> None:
    """Tell of one commit that is not as Git has it."""
    commit, path, what, others = mismatch
    if out.as_json:
        name = path or None
        out.record({"commit": commit.hex(), "path": name, "what": what, "others": others})
        return
    where = ("'", path, "'") if path else ("the commit",)
    files = counted(others, "more file")
    more = f" (or one of {files} that it touches)" if others else ""
    out.line(Styled("warning", "mismatch"), f": {commit.hex()}: ", *where, f"{more}: {what}")


def record(out: Output, found: Verification) -> None:
    """Write the counts as one object."""
    out.record(
        {
            "commits": found.commits,
            "imported": found.imported,
            "trees": found.trees,
            "raw_trees": found.raw_trees,
            "files": found.files,
            "mismatches": len(found.mismatches),
            "missing": found.missing,
            "cut": found.cut,
            "tags": found.tags,
        }
    )
