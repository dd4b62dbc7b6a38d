"""`oxy hunks`: what differs, hunk by hunk (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.doings import doings
from oxy.actions.hunks import hunks
from oxy.actions.naming import resolve_change
from oxy.actions.status import examined
from oxy.cli.given import add_paths, paths_of
from oxy.cli.hunks import line_of, record_of
from oxy.cli.listing import UNREAD, Shower
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "List the hunks in which the files differ from the state that they were made from.\n"
        "`oxy commit --hunk N` with the same paths records hunk N alone, `--hunk N.M` its\n"
        "part M; `oxy diff --hunks` shows them with their lines. Or list those of what a\n"
        "change did, for `oxy split`."
    )
    parser.add_argument("--of", metavar="CHANGE", help="what this change did")
    add_paths(parser, "look at these only")
    parser.epilog = (
        "example:\n  oxy hunks src\n\n"
        "exit codes:\n  0 fine, whether or not something differs   2 no such path or change\n"
        "  3 no repository, a file that changed meanwhile, or something that cannot be read:\n"
        "    all else is listed"
    )


def run(args: Namespace, out: Output) -> int:
    """List the hunks."""
    code = 0
    with working_copy(os.getcwdb()) as copy:
        shower = Shower(copy.root)
        paths = paths_of(args, copy)
        if args.of is None:
            snapshot = examined(copy, paths, forgives=True)
            shower.warn_of_unread(out, snapshot)
            code = UNREAD if snapshot.unread else 0
            found = hunks(copy, snapshot)
        else:
            change = resolve_change(copy.repository, os.fsencode(args.of))
            found = (doing.file for doing in doings(copy.repository, change, paths))
        for file in found:
            for hunk in file.hunks:
                if out.as_json:
                    out.record(record_of(file, hunk, shower))
                else:
                    out.line(*line_of(file, hunk, shower))
    return code
