"""`oxy mv`: move files and directories (spec: command-line; names, N30)."""

from __future__ import annotations

import os

from oxy.actions.mv import mv
from oxy.actions.paths import inside
from oxy.cli.listing import Shower
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.mv import Moved
    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Move files or directories, and note that they were moved: the next commit records it\n"
        "for sure, however much they are edited too, and where two change names. What was\n"
        "moved without oxy is only noted. Until then `oxy mv` moves back, and not `oxy undo`."
    )
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="what to move")
    parser.add_argument("target", metavar="TARGET", help="the new path, or a directory")
    parser.epilog = (
        "example:\n  oxy mv README README.md\n\n"
        "exit codes:\n  0 fine   2 no such path, or one that is taken or refused\n"
        "  3 no repository, or the system refuses"
    )


def run(args: Namespace, out: Output) -> None:
    """Move them."""
    here = os.getcwdb()
    with working_copy(here) as copy:
        sources = [inside(copy.root, here, os.fsencode(path)) for path in args.sources]
        target = inside(copy.root, here, os.fsencode(args.target))
        shower = Shower(copy.root)
        for moved in mv(copy, sources, target):
            show(out, shower, moved)


def show(out: Output, shower: Shower, moved: Moved) -> None:
    """Show what was moved."""
    old, new = shower.path(moved.old), shower.path(moved.new)
    if out.as_json:
        record: dict[str, bytes | int | bool] = {"from": old, "path": new}
        out.record({**record, "files": moved.files, "noted_only": moved.was_done})
        return
    did = "noted: " if moved.was_done else "moved: "
    rest = "" if moved.files else "  (nothing in it is tracked)"
    out.line(did, old, " -> ", new, rest)
