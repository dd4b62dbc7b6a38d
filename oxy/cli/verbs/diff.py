"""`oxy diff`: what differs, as a patch (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.status import examined
from oxy.cli.front import UsageError
from oxy.cli.given import add_paths, paths_of
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from oxy.actions.patch import FileDiff
    from oxy.cli.output import Output
    from oxy.worktree.workcopy import WorkingCopy


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show how the files differ from the state that they were made from; with --from or\n"
        "--to, how two states differ. Paths in a patch are those of the repository."
    )
    add_paths(parser, "look at these only")
    parser.add_argument(
        "--from", dest="old", metavar="STATE", help="the old state (the working copy's base)"
    )
    parser.add_argument(
        "--to", dest="new", metavar="STATE", help="the new state (the working copy's base)"
    )
    parser.add_argument(
        "--exit-code", action="store_true", help="exit 1 where something differs"
    )
    parser.add_argument(
        "--hunks", action="store_true", help="number the hunks, for `oxy commit --hunk N`"
    )
    parser.epilog = (
        "example:\n  oxy diff --from main --to topic src\n\n"
        "exit codes:\n  0 fine   1 with --exit-code: something differs\n"
        "  2 no such state or path   3 no repository"
    )


def run(args: Namespace, out: Output) -> int:
    """Show what differs."""
    with working_copy(os.getcwdb()) as copy:
        paths = paths_of(args, copy)
        if args.hunks:
            count = numbered(args, out, copy, paths)
        elif args.old is None and args.new is None:
            count = write(out, unrecorded(copy, paths))
        else:
            count = write(out, recorded(args, copy, paths))
    return int(bool(args.exit_code and count))


def numbered(args: Namespace, out: Output, copy: WorkingCopy, paths: list[bytes]) -> int:
    """Write how the files differ from their base state, with numbers; return how many do."""
    if args.old is not None or args.new is not None:
        message = "--hunks is for the working copy, and goes with neither --from nor --to"
        raise UsageError(message)
    from oxy.actions.hunks import difference_of, hunks
    from oxy.cli.hunks import record_of as record_of_hunk
    from oxy.cli.hunks import write_numbered
    from oxy.cli.listing import Shower
    from oxy.cli.patch import record_of

    shower = Shower(copy.root)
    count = 0
    for file in hunks(copy, paths):
        count += 1
        diff = difference_of(copy, file) if out.as_json else None
        if diff is not None:
            found = [record_of_hunk(file, hunk, shower) for hunk in file.hunks]
            out.record({**record_of(diff), "hunks": found})
        elif not out.as_json:
            write_numbered(out, copy, file)
    return count


def write(out: Output, diffs: Iterator[FileDiff] | None) -> int:
    """Write differences, and return how many there were."""
    if diffs is None:
        return 0
    from oxy.cli.patch import record_of, write_patch

    counted = Counted(diffs)
    if out.as_json:
        for diff in counted:
            out.record(record_of(diff))
    else:
        write_patch(out, counted)
    return counted.count


class Counted:
    """Differences as they pass, and how many there were."""

    __slots__ = ("_diffs", "count")

    def __init__(self, diffs: Iterator[FileDiff]) -> None:
        self._diffs = diffs
        self.count = 0

    def __iter__(self) -> Iterator[FileDiff]:
        """Yield the differences."""
        for diff in self._diffs:
            self.count += 1
            yield diff


def unrecorded(copy: WorkingCopy, paths: list[bytes]) -> Iterator[FileDiff] | None:
    """Return how the files differ from their base state; None, loading little, if nowhere."""
    changes = examined(copy, paths).changes
    if not changes:
        return None
    from oxy.actions.diff import working

    return working(copy, changes)


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
