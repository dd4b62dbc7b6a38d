"""`oxy uncommit`: have what was recorded last as local edits (spec: states, S34)."""

from __future__ import annotations

import os

from oxy.actions.uncommit import uncommit
from oxy.cli.output import Styled
from oxy.model.change import subject
from oxy.model.digest import short
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Take the newest change out of the state that you are on, and leave the files as they\n"
        "are: what it did shows as local edits again. To take a change out of the files too,\n"
        "see `oxy unrecord`."
    )
    parser.add_argument(
        "change", nargs="?", metavar="CHANGE", help="another one that nothing depends on"
    )
    parser.epilog = (
        "example:\n  oxy uncommit\n\n"
        "exit codes:\n  0 fine\n"
        "  2 no such change, several newest ones, or others depend on it\n"
        "  3 no repository, or it moved meanwhile"
    )


def run(args: Namespace, out: Output) -> None:
    """Take it out."""
    called = None if args.change is None else os.fsencode(args.change)
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        name, message, bookmark = uncommit(copy, called)
    first = subject(message)
    if out.as_json:
        out.record({"id": name.hex(), "message": message, "bookmark": bookmark})
    else:
        out.line("uncommitted ", Styled("id", short(name)), " ", first)
