"""`oxy commit`: record what changed (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.clock import moment_of
from oxy.actions.commit import Request, commit
from oxy.cli.choosing import add_arguments, chooser_of
from oxy.cli.confirming import add_confirmation, confirmation_of
from oxy.cli.given import add_paths, paths_of
from oxy.cli.hooks import after, before, changes_of
from oxy.cli.listing import UNREAD, Shower
from oxy.cli.message import add_message, message_of, refuse_several
from oxy.cli.output import Styled
from oxy.errors import RequestError
from oxy.model.change import subject
from oxy.model.digest import short
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import TypeAlias

    from oxy.actions.commit import Committed
    from oxy.cli.output import Output
    from oxy.cli.records import Record
    from oxy.worktree.snapshot import Snapshot
    from oxy.worktree.workcopy import WorkingCopy

    Told: TypeAlias = str | bytes | list[Record] | None


class AmendError(RequestError):
    """A change is amended by a command of its own."""

    def __init__(self) -> None:
        super().__init__("commit records a new change, and has no --amend")


SHOWN = 10
"""Most conflicts that are named after a commit; `status` names them all."""


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Record what changed as one change, and move the current bookmark along. Everything\n"
        "that is not ignored is recorded; a new file over 10 MiB has to be named."
    )
    add_paths(parser, "record these only")
    add_arguments(parser)
    add_message(parser)
    parser.add_argument("--author", metavar="AUTHOR", help="Name <address>")
    parser.add_argument(
        "--date", metavar="DATE", help="RFC 3339, or @SECONDS +HHMM, in place of now"
    )
    add_confirmation(parser)
    parser.add_argument("--amend", action="store_true", help="none: see `oxy help amend`")
    parser.epilog = (
        'example:\n  oxy commit -m "Explain the limits" README.md\n\n'
        "exit codes:\n  0 recorded   1 nothing to record\n"
        "  2 a bad argument, no message, markers of conflicts left in a file, or much that\n"
        "    looks generated in a first change\n"
        "  3 no repository, no author, a file that changed meanwhile, or a hook said no;\n"
        "    or something that cannot be read: all else was recorded"
    )


def run(args: Namespace, out: Output) -> int:
    """Record what changed."""
    if args.amend:
        raise AmendError
    refuse_several(args)
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        request = Request(
            tuple(paths_of(args, copy)),
            None if args.author is None else os.fsencode(args.author),
            None if args.date is None else moment_of(args.date),
            chooser_of(args, out),
            confirmation_of(args, out),
        )
        shower = Shower(copy.root)

        def ask(snapshot: Snapshot) -> bytes:
            message = message_of(args, copy.control, lambda: shown(copy, shower, snapshot))
            if message.strip():
                before(
                    copy.root,
                    "before-commit",
                    lambda: facts(copy.here.bookmark, message.strip(), snapshot),
                )
            return message

        done = commit(copy, request, ask)
        tell(out, done, shower)
        if done.id is not None:
            told = {"id": done.id.hex()}
            after(
                out,
                copy.root,
                "after-commit",
                lambda: told | facts(done.bookmark, done.message, done.snapshot),
            )
    return UNREAD if done.snapshot.unread else int(done.id is None)


def facts(bookmark: bytes | None, message: bytes, snapshot: Snapshot) -> dict[str, Told]:
    """Return what a hook is told."""
    changes = changes_of(snapshot.changes)
    return {"bookmark": bookmark, "message": message, "changes": changes}


def shown(copy: WorkingCopy, shower: Shower, snapshot: Snapshot) -> bytes:
    """Return what the editor shows of what is to be recorded."""
    from oxy.cli.told import told

    return told(copy, shower, snapshot)


def tell(out: Output, done: Committed, shower: Shower) -> None:
    """Tell what was recorded, if anything was."""
    if out.as_json:
        out.record(
            {
                "id": None if done.id is None else done.id.hex(),
                "bookmark": done.bookmark,
                "changes": [shower.record(change) for change in done.snapshot.changes],
                "left_out": shower.records_left_out(done.snapshot),
                "conflicts": [{"path": shower.path(path)} for path in done.conflicts],
            }
        )
        return
    for change in done.snapshot.changes:
        if change.source is not None:
            out.line(*shower.line(change))
    shower.write_left_out(out, done.snapshot)
    if done.id is None:
        out.line("nothing to record")
    else:
        first = subject(done.message)
        out.line("recorded ", Styled("id", short(done.id)), " ", first)
    for path in done.conflicts[:SHOWN]:
        out.line(Styled("warning", "C"), " ", shower.path(path), "  still in conflict")
    if len(done.conflicts) > SHOWN:
        out.line(f"and {len(done.conflicts) - SHOWN} more still in conflict")
    if done.id is not None and done.bookmark is None:
        out.note("hint: no bookmark moved along; `oxy bookmark NAME` makes one here")
