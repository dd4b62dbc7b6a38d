"""`oxy commit`: record what changed (spec: command-line)."""

from __future__ import annotations

import os
import sys

from oxy.actions.clock import moment_of
from oxy.actions.commit import Request, commit
from oxy.cli.choosing import add_arguments, chooser_of
from oxy.cli.confirming import add_confirmation, confirmation_of
from oxy.cli.front import UsageError
from oxy.cli.given import add_paths, paths_of
from oxy.cli.listing import Shower
from oxy.cli.output import Styled
from oxy.model.change import subject
from oxy.model.digest import short
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.commit import Committed
    from oxy.cli.output import Output
    from oxy.worktree.snapshot import Snapshot
    from oxy.worktree.workcopy import WorkingCopy

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
    parser.add_argument(
        "-m",
        dest="messages",
        metavar="MESSAGE",
        action="append",
        help="the message; given again, another paragraph",
    )
    parser.add_argument(
        "-F", dest="file", metavar="FILE", help="a file with the message; - is standard input"
    )
    parser.add_argument("--author", metavar="AUTHOR", help="Name <address>")
    parser.add_argument(
        "--date", metavar="DATE", help="RFC 3339, or @SECONDS +HHMM, in place of now"
    )
    add_confirmation(parser)
    parser.epilog = (
        'example:\n  oxy commit -m "Explain the limits" README.md\n\n'
        "exit codes:\n  0 recorded   1 nothing to record\n"
        "  2 a bad argument, no message, markers of conflicts left in a file, or much that\n"
        "    looks generated in a first change\n"
        "  3 no repository, no author, or a file that changed meanwhile"
    )


def run(args: Namespace, out: Output) -> int:
    """Record what changed."""
    if args.messages is not None and args.file is not None:
        message = "-m and -F do not go together"
        raise UsageError(message)
    with working_copy(os.getcwdb()) as copy:
        request = Request(
            tuple(paths_of(args, copy)),
            None if args.author is None else os.fsencode(args.author),
            None if args.date is None else moment_of(args.date),
            chooser_of(args, out),
            confirmation_of(args, out),
        )
        shower = Shower(copy.root)
        done = commit(copy, request, lambda snapshot: asked(args, copy, shower, snapshot))
        tell(out, done, shower)
    return int(done.id is None)


def asked(args: Namespace, copy: WorkingCopy, shower: Shower, snapshot: Snapshot) -> bytes:
    """Return the message, from the arguments, a file, or the editor."""
    if args.messages is not None:
        paragraphs: list[str] = args.messages
        return b"\n\n".join(os.fsencode(paragraph).strip() for paragraph in paragraphs)
    if args.file is not None:
        if args.file == "-":
            return sys.stdin.buffer.read()
        return read(args.file)
    from oxy.cli.editor import edited
    from oxy.cli.output import rendered

    told = [rendered(shower.line(change), colour=False) for change in snapshot.changes]
    return edited(copy.control, b"".join(told))


def read(path: str) -> bytes:
    """Return the content of the file with the message."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        message = f"-F {path}: {error.strerror}"
        raise UsageError(message) from error


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
