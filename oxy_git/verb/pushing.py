"""`oxy git push`: bring bookmarks and tags to a Git remote (spec: git-bridge, GB37, GB53)."""

from __future__ import annotations

import os

from oxy.cli.clock import stamp
from oxy.worktree.workcopy import working_copy
from oxy_git.remote.push import Request, push
from oxy_git.verb.exporting import tell_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy_git.remote.push import Goal, Pushed

DIGITS = 7


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Make commits of a bookmark's changes, and move the branch of its name in a Git\n"
        "remote to them. The branch moves only if nothing is there that you have not pulled.\n"
        "The changes themselves are kept beside the branches, for others who use oxy."
    )
    parser.add_argument(
        "remote", nargs="?", metavar="REMOTE", help="a Git remote (the only one, or origin)"
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="bookmarks and tags (the bookmark that you are on)",
    )
    parser.add_argument(
        "--delete",
        action="append",
        default=[],
        metavar="NAME",
        help="delete this branch there; may be given again",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="move them though they lose commits that you have seen",
    )
    parser.add_argument(
        "-n", "--dry-run", action="store_true", help="tell what would be pushed, and do nothing"
    )
    parser.epilog = (
        "example:\n  oxy git push origin main\n\n"
        "exit codes:\n  0 fine   1 something could not move: pull first, or see why\n"
        "  2 no such remote or name, or in conflict   3 no repository, or git failed"
    )


def run(args: Namespace, out: Output) -> int:
    """Push."""
    request = Request(
        None if args.remote is None else os.fsencode(args.remote),
        tuple(map(os.fsencode, args.names)),
        tuple(map(os.fsencode, args.delete)),
        args.force,
        args.dry_run,
    )
    words = ["git push", *([args.remote] if args.remote else []), *args.names]
    words += [word for name in args.delete for word in ("--delete", name)]
    with working_copy(os.getcwdb()) as copy:
        pushed = push(copy, request, stamp(" ".join(words)), out.progress())
        if not out.as_json:
            tell_plan(out, copy.repository, list(pushed.steps) if args.dry_run else [])
    for line in pushed.said:
        out.note(pushed.remote.name, " says: ", line)
    (record if out.as_json else tell)(out, pushed, dry_run=args.dry_run)
    return int(bool(pushed.refused))


def tell(out: Output, pushed: Pushed, *, dry_run: bool) -> None:
    """Tell what became of refs there."""
    remote = pushed.remote.name
    for goal in pushed.moved:
        out.line(_short(goal.full), "@", remote, ": ", _became(goal, dry_run=dry_run))
    for full in pushed.joined:
        out.line("a merge commit joins ", _short(full), " with what was there")
    if not (pushed.moved or pushed.refused):
        out.line("nothing to push: ", remote, " has it all")
    for full, why in pushed.refused:
        out.line("not moved: ", _short(full), "@", remote, ": ", why)
    if pushed.unkept is not None:
        out.warning("the changes could not be kept beside the commits: ", pushed.unkept)


def record(out: Output, pushed: Pushed, *, dry_run: bool) -> None:
    """Write it as one object."""
    out.record(
        {
            "remote": pushed.remote.name,
            "done": not dry_run,
            "commits": len(pushed.steps),
            "made": pushed.made,
            "moved": [
                {"ref": goal.full, "old": _hex(goal.old), "new": _hex(goal.new)}
                for goal in pushed.moved
            ],
            "joined": [{"ref": full} for full in pushed.joined],
            "refused": [{"ref": full, "reason": why} for full, why in pushed.refused],
            "unkept": pushed.unkept,
        }
    )


def _short(full: bytes) -> bytes:
    return full.split(b"/", 2)[2]


def _hex(oid: bytes | None) -> str | None:
    return None if oid is None else oid.decode()


def _became(goal: Goal, *, dry_run: bool) -> str:
    would = "would be " if dry_run else ""
    if goal.wanted is None:
        return would + "deleted"
    old = "" if goal.old is None else goal.old[:DIGITS].decode()
    if goal.new is None:
        return would + (f"moved from {old}" if old else "new")
    new = goal.new[:DIGITS].decode()
    return f"{old} to {new}" if old else f"new, {new}"
