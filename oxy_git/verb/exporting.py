"""`oxy git export`: commits of what is here, in a Git repository (spec: GB33 to GB36)."""

from __future__ import annotations

import os

from oxy.cli.outcome import counted
from oxy.model.change import subject
from oxy.model.digest import short
from oxy.repo.refs import HERE
from oxy.repo.repository import opened
from oxy_git.exporter.refs import HEADS, unmapped, wanted_refs
from oxy_git.exporter.run import export, planned
from oxy_git.reader.git import Git
from oxy_git.verb.target import is_new, made, write_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy.repo.repository import Repository
    from oxy_git.exporter.plan import Step
    from oxy_git.exporter.refs import Wanted
    from oxy_git.exporter.run import Report

MAIN = b"main"


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Make commits of changes in a Git repository, which is made where there is none:\n"
        "bookmarks become branches, tags tags. What came from Git has the ids that it had."
    )
    parser.add_argument(
        "directory", metavar="DIR", help="a Git repository, or where to make one"
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="bookmarks and tags to bring (all)"
    )
    parser.add_argument(
        "--bare", action="store_true", help="make a repository without files of its own"
    )
    parser.add_argument(
        "--force", action="store_true", help="move refs though they lose commits by it"
    )
    parser.add_argument(
        "-n", "--dry-run", action="store_true", help="tell what would be done, and do nothing"
    )
    parser.epilog = (
        "example:\n  oxy git export ../for-the-others main\n\n"
        "exit codes:\n  0 fine   1 a ref could not move   2 in conflict, or no such name\n"
        "  3 git failed"
    )


def run(args: Namespace, out: Output) -> int:
    """Export."""
    path = os.path.abspath(os.fsencode(args.directory))
    with opened(os.getcwdb()) as repository:
        wanted = wanted_refs(repository, [os.fsencode(name) for name in args.names])
        new = is_new(path)
        plan = planned(repository, wanted)
        tell_plan(out, repository, plan.steps)
        if args.dry_run:
            if not out.as_json:
                commits, refs = (
                    counted(len(plan.steps), "commit"),
                    counted(len(plan.wanted), "ref"),
                )
                out.line(f"{commits}, {refs}; nothing is done")
            return 0
        git = made(path, branch(repository, wanted), bare=args.bare) if new else Git(path)
        report = export(
            repository, git, plan, out.progress(), is_forced=lambda _: bool(args.force)
        )
    if new and not args.bare and report.refs.moved:
        write_files(path)
    (record if out.as_json else summary)(out, path, report)
    return int(bool(report.refs.refused))


def branch(repository: Repository, wanted: list[Wanted]) -> bytes:
    """Return what HEAD is to be: the bookmark that the working copy is on, if it goes out."""
    here = repository.refs.get(HERE)
    going = [item.ref.name for item in wanted if item.full.startswith(HEADS)]
    if here is not None and here.bookmark in going:
        return unmapped(here.bookmark or MAIN)
    return unmapped(going[0]) if going and MAIN not in going else MAIN


def tell_plan(out: Output, repository: Repository, steps: list[Step]) -> None:
    """Tell what is no commit of its own, or a commit of no change, before it is done."""
    unions = [step for step in steps if not step.change]
    folded = {change for step in steps for change in step.folded}
    rank = repository.nodes.rank
    for step in unions:
        names = [short(rank(head)) for head in sorted(step.name.heads)]
        if out.as_json:
            out.record({"merge": names, "folded": [short(rank(c)) for c in step.folded]})
        else:
            out.line("a merge commit unites ", ", ".join(names))
    if folded and not out.as_json:
        if len(folded) == 1:
            out.line("1 change is part of the commit after it, as there was a conflict")
            out.line("in its state, or a state has it without what it builds on:")
        else:
            out.line(f"{len(folded)} changes are part of the commit after them, as there was a")
            out.line(
                "conflict in their states, or a state has them without what they build on:"
            )
        for change, header in repository.headers(sorted(folded)):
            out.line("  ", short(rank(change)), " ", subject(header.message))


def record(out: Output, path: bytes, report: Report) -> None:
    """Write the summary as one object."""
    out.record(
        {
            "path": path,
            "commits": report.commits,
            "added": report.added,
            "objects": report.objects,
            "refs": [os.fsdecode(name) for name in report.refs.moved],
            "refused": [{"ref": name, "reason": why} for name, why in report.refs.refused],
        }
    )


def summary(out: Output, path: bytes, report: Report) -> None:
    """Write the summary for people."""
    out.line("exported to ", path)
    there = report.commits - report.added
    out.line(
        counted(report.added, "commit")
        + (f"; {there} {'was' if there == 1 else 'were'} there" if there else "")
        + f"; {counted(report.objects, 'object')} sent"
    )
    out.line(f"{counted(len(report.refs.moved), 'ref')} moved")
    for name, why in report.refs.refused:
        out.line("not moved: ", name, ": ", why)
