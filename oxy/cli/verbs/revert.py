"""`oxy revert`: record what takes changes back (spec: command-line, states S11)."""

from __future__ import annotations

import os

from oxy.actions.revert import revert
from oxy.cli.listing import Shower
from oxy.cli.outcome import record_of, write_files
from oxy.cli.output import Styled
from oxy.model.change import subject
from oxy.model.digest import short
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.revert import Reverted
    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Record for each change one that takes it back: lines that it added go, lines that it\n"
        "removed come back as the lines that they were, and files get back their names, modes\n"
        "and contents. What was edited since is in conflict then.\n"
        "To take a change out of your state instead, see `oxy unrecord`."
    )
    parser.add_argument(
        "changes", nargs="+", metavar="CHANGE", help="a change id, or a name for its newest"
    )
    parser.add_argument("-m", dest="message", metavar="MESSAGE", help="why")
    parser.add_argument("--author", metavar="AUTHOR", help="Name <address>")
    parser.add_argument("--dry-run", action="store_true", help="only tell what it would do")
    parser.epilog = (
        'example:\n  oxy revert 3f2ab84c -m "It broke the parser"\n\n'
        "exit codes:\n  0 fine, with conflicts or without   1 nothing of them is left\n"
        "  2 no such change, it resolved a conflict, or a file is in the way\n"
        "  3 no repository, no author, or it moved meanwhile"
    )


def run(args: Namespace, out: Output) -> int:
    """Revert."""
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        done = revert(
            copy,
            [os.fsencode(change) for change in args.changes],
            None if args.message is None else os.fsencode(args.message).strip(),
            None if args.author is None else os.fsencode(args.author),
            dry_run=args.dry_run,
        )
        shower = Shower(copy.root)
    tell(out, done, shower)
    return int(not done.recorded)


def tell(out: Output, done: Reverted, shower: Shower) -> None:
    """Tell what was recorded, and what it did."""
    done_at_all = done.joined.went is not None
    if out.as_json:
        record = record_of(shower, done.joined)
        record["ids"] = [name.hex() for name, _ in done.recorded] if done_at_all else []
        record["idle"] = [name.hex() for name in done.idle]
        out.record(record)
        return
    for name in done.idle:
        out.line("nothing is left of ", Styled("id", short(name)))
    for name, message in done.recorded:
        first = subject(message)
        if done_at_all:
            out.line("recorded ", Styled("id", short(name)), " ", first)
        else:
            out.line("would record ", first)
    write_files(out, shower, done.joined)
