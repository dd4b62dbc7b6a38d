"""`oxy apply`: patches put on the files (spec: command-line)."""

from __future__ import annotations

import os
import sys

from oxy.cli.front import UsageError
from oxy.cli.listing import Shower
from oxy.cli.number import whole
from oxy.cli.output import Styled
from oxy.model.change import subject
from oxy.model.digest import short
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.apply import Applied
    from oxy.actions.mailbox import Letter
    from oxy.cli.output import Output
    from oxy.cli.records import Record


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Put patches on the files, as local edits: all of them, or nothing is done. Taken are\n"
        "patches of oxy and of Git, with renames, modes and binary content, plain unified\n"
        "diffs, and mails. Paths in them are those of the repository; a/ and b/ are left away."
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="the patches; - is the input")
    parser.add_argument(
        "--commit",
        action="store_true",
        help="record a change for each mail, with its author, date and message",
    )
    parser.add_argument(
        "-p",
        dest="strip",
        type=whole,
        default=1,
        metavar="N",
        help="leave so many first components of names away (1)",
    )
    parser.add_argument("--check", action="store_true", help="tell what would be done")
    parser.epilog = (
        "example:\n  oxy show --patch 3f2ab84c | oxy -C ../other apply --commit -\n\n"
        "exit codes:\n  0 fine   2 it does not apply, or is no patch   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Apply the patches."""
    from oxy.actions import apply as action

    if args.commit and args.check:
        message = "--commit and --check do not go together"
        raise UsageError(message)
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        found = letters_of(args.files)
        if args.check:
            done = action.check(copy, found, args.strip)
        else:
            done = (action.record if args.commit else action.apply)(copy, found, args.strip)
        shower = Shower(copy.root)
        for applied in done:
            if out.as_json:
                write_record(out, shower, applied)
            else:
                tell(out, shower, applied, recorded=args.commit)


def letters_of(files: list[str]) -> list[Letter]:
    """Return the mails of some files, or the patches that they are.

    Raises:
        UsageError: a file cannot be read.
        PatchError: a mail cannot be read.
    """
    from oxy.actions.mailbox import letters

    found: list[Letter] = []
    for file in files:
        if file == "-":
            found += letters(sys.stdin.buffer.read())
            continue
        try:
            with open(file, "rb") as opened:
                found += letters(opened.read())
        except OSError as error:
            message = f"{file}: {error.strerror}"
            raise UsageError(message) from error
    return found


def write_record(out: Output, shower: Shower, done: Applied) -> None:
    """Write what came of a patch as JSON."""
    out.record(
        {
            "id": None if done.id is None else done.id.hex(),
            "message": done.message,
            "known": done.known,
            "written": [
                {"path": shower.path(path)} for path, is_there in done.files if is_there
            ],
            "removed": [
                {"path": shower.path(path)} for path, is_there in done.files if not is_there
            ],
            "off": [
                {"path": shower.path(path), "hunk": hunk, "lines": lines}
                for path, hunk, lines in done.off
            ],
        }
    )


def paths_of(shower: Shower, done: Applied, *, is_there: bool) -> list[Record]:
    """Return the paths at which there is a file now, or none any more."""
    return [{"path": shower.path(path)} for path, there in done.files if there == is_there]


def tell(out: Output, shower: Shower, done: Applied, *, recorded: bool) -> None:
    """Tell what came of a patch."""
    for path, hunk, lines in done.off:
        many = f"{abs(lines)} line" + "s" * (abs(lines) > 1)
        side = "below" if lines > 0 else "above"
        out.line(f"hunk {hunk} of ", shower.path(path), f" fits {many} {side} where it says")
    if done.known:
        out.line("here already: ", subject(done.message))
    elif done.id is not None:
        out.line("recorded ", Styled("id", short(done.id)), " ", subject(done.message))
    elif recorded:
        out.line("nothing to record of ", subject(done.message))
    else:
        for path, is_there in done.files:
            letter = Styled("id", "M") if is_there else Styled("removed", "D")
            out.line(letter, " ", shower.path(path))
