"""`oxy diff`: what differs, as a patch (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.status import examined
from oxy.cli import differing
from oxy.cli.differing import add_form
from oxy.cli.front import UsageError
from oxy.cli.given import add_paths, paths_of
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator

    from oxy.actions.patch import FileDiff
    from oxy.cli.output import Output
    from oxy.worktree.snapshot import Snapshot
    from oxy.worktree.workcopy import WorkingCopy


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show how the files differ from the state that they were made from; with --from or\n"
        "--to, how two states differ; with --of, what a change did. In a pipe it is a patch\n"
        "that `git apply` and `oxy apply` take; paths in it are those of the repository."
    )
    add_paths(parser, "look at these only")
    parser.add_argument(
        "--from", dest="old", metavar="STATE", help="the old state (the working copy's base)"
    )
    parser.add_argument(
        "--to", dest="new", metavar="STATE", help="the new state (the working copy's base)"
    )
    parser.add_argument("--of", dest="change", metavar="CHANGE", help="what this change did")
    parser.add_argument(
        "--exit-code", action="store_true", help="exit 1 where something differs"
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="likewise, and write nothing"
    )
    add_form(parser)
    parser.add_argument(
        "--hunks", action="store_true", help="number the hunks, for `oxy commit --hunk N`"
    )
    parser.epilog = (
        "example:\n  oxy diff --from main --to topic src\n\n"
        "exit codes:\n  0 fine   1 with --exit-code: something differs\n"
        "  2 no such state or path\n"
        "  3 no repository, or something that cannot be read: all else is shown"
    )


def run(args: Namespace, out: Output) -> int:
    """Show what differs."""
    with working_copy(os.getcwdb()) as copy:
        paths = paths_of(args, copy)
        found = None
        if args.change is None and args.old is None and args.new is None:
            found = examined(copy, paths, forgives=True)
        if args.hunks:
            count = numbered(args, out, copy, found)
        else:
            count = write(args, out, copy, wanted(args, copy, paths, found))
        code = int(bool((args.exit_code or args.quiet) and count))
        if found is None or not found.unread:
            return code
        from oxy.cli.listing import UNREAD, Shower

        Shower(copy.root).warn_of_unread(out, found)
        return UNREAD


def numbered(args: Namespace, out: Output, copy: WorkingCopy, found: Snapshot | None) -> int:
    """Write how the files differ from their base state, with numbers; return how many do."""
    if found is None:
        message = "--hunks is for the working copy, and goes with no --from, --to or --of"
        raise UsageError(message)
    if differing.form_of(args):
        message = "--hunks numbers a patch, and goes with no other form"
        raise UsageError(message)
    from oxy.actions.hunks import difference_of, hunks
    from oxy.cli.hunks import record_of as record_of_hunk
    from oxy.cli.hunks import write_numbered
    from oxy.cli.listing import Shower
    from oxy.cli.patch import record_of

    shower = Shower(copy.root)
    count = 0
    for file in hunks(copy, found):
        count += 1
        diff = difference_of(copy, file) if out.as_json else None
        if diff is not None:
            records = [record_of_hunk(file, hunk, shower) for hunk in file.hunks]
            out.record({**record_of(diff), "hunks": records})
        elif not out.as_json:
            write_numbered(out, copy, file)
    return count


def write(args: Namespace, out: Output, copy: WorkingCopy, diffs: Iterable[FileDiff]) -> int:
    """Write differences, and return how many there were; of those asked for quietly, one."""
    if not diffs:
        return 0
    from oxy.cli.listing import Shower

    if args.quiet:
        return int(differing.differs(out, diffs, args))
    return differing.write(out, diffs, args, Shower(copy.root).path)


def wanted(
    args: Namespace, copy: WorkingCopy, paths: list[bytes], found: Snapshot | None
) -> Iterable[FileDiff]:
    """Return the differences that are asked for; where nothing differs, little is loaded."""
    if args.change is not None:
        return done(args, copy, paths)
    if found is not None:
        return unrecorded(copy, found)
    return recorded(args, copy, paths)


def done(args: Namespace, copy: WorkingCopy, paths: list[bytes]) -> Iterator[FileDiff]:
    """Return what a change did."""
    if args.old is not None or args.new is not None:
        message = "--of names a change, and goes with neither --from nor --to"
        raise UsageError(message)
    from oxy.actions.naming import resolve_change
    from oxy.actions.show import show

    change = resolve_change(copy.repository, os.fsencode(args.change))
    return show(copy.repository, change, paths)


def unrecorded(copy: WorkingCopy, found: Snapshot) -> Iterable[FileDiff]:
    """Return how the files differ from their base state."""
    if not found.changes:
        return ()
    from oxy.actions.diff import working

    return working(copy, found.changes)


def recorded(args: Namespace, copy: WorkingCopy, paths: list[bytes]) -> Iterator[FileDiff]:
    """Return how two states differ."""
    from oxy.actions.diff import between
    from oxy.actions.naming import resolve
    from oxy.actions.words import HERE_NAME

    old, new = (
        resolve(copy.repository, HERE_NAME if called is None else os.fsencode(called)).state
        for called in (args.old, args.new)
    )
    return between(copy.repository, old, new, paths)
