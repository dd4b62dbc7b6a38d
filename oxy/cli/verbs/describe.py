"""`oxy describe`: a state by the nearest tag (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.describe import describe
from oxy.actions.naming import resolve
from oxy.actions.words import HERE_NAME
from oxy.cli.front import UsageError
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Call a state by the nearest tag that it came from: the tag, how many changes came\n"
        "since, and the newest change; the tag alone where none did."
    )
    parser.add_argument("state", nargs="?", help="the state (the working copy's base)")
    parser.add_argument(
        "--always", action="store_true", help="the newest change where there is no tag"
    )
    parser.add_argument(
        "--dirty", action="store_true", help="end in -dirty where the files have edits"
    )
    parser.epilog = (
        "example:\n  oxy describe --always --dirty\n\n"
        "exit codes:\n  0 fine   2 no such state, or no tag   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Describe the state."""
    if args.dirty and args.state is not None:
        message = "--dirty is about the files, and goes with no state"
        raise UsageError(message)
    with working_copy(os.getcwdb()) as copy:
        called = HERE_NAME if args.state is None else os.fsencode(args.state)
        found = describe(
            copy.repository, resolve(copy.repository, called).state, always=args.always
        )
        is_dirty = args.dirty and bool(copy.snapshot().changes)
    name = found.name + "-dirty" * is_dirty
    if out.as_json:
        record: dict[str, str | int | bytes | list[str] | None] = {
            "name": name,
            "tag": found.tag,
            "changes": found.changes,
            "heads": [head.hex() for head in found.heads],
        }
        out.record(record)
    else:
        out.line(name)
