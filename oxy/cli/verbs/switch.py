"""`oxy switch`: go to another state (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.switch import switch
from oxy.actions.words import HERE_NAME
from oxy.cli.front import UsageError
from oxy.cli.hooks import after
from oxy.model.digest import short
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.switch import Switched
    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Make the files those of another state. On a bookmark, what is recorded moves it.\n"
        "Edits that are not recorded go along. Where one cannot, as of lines that the other\n"
        "state edits too, or a file that is not tracked is in the way, nothing is done."
    )
    parser.add_argument(
        "state", nargs="?", metavar="STATE", help="a bookmark, a tag, a change id, NAME~N ..."
    )
    parser.add_argument(
        "-c", dest="create", metavar="NAME", help="make a bookmark there (here), and go to it"
    )
    parser.epilog = (
        "example:\n  oxy switch -c topic main\n\n"
        "exit codes:\n  0 fine   2 no such state, or a file is in the way   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Go there."""
    if args.state is None and args.create is None:
        message = "name a state, or a bookmark to make with -c"
        raise UsageError(message)
    called = HERE_NAME if args.state is None else os.fsencode(args.state)
    create = None if args.create is None else os.fsencode(args.create)
    with working_copy(os.getcwdb()) as copy:
        copy.progress = out.watcher()
        done = switch(copy, called, create)
        tell(out, done)
        after(out, copy.root, "after-switch", lambda: facts(done))


def facts(done: Switched) -> dict[str, bytes | list[str] | None]:
    """Return what a hook is told."""
    return {"bookmark": done.bookmark, "heads": [name.hex() for name in done.heads]}


def tell(out: Output, done: Switched) -> None:
    """Tell where the working copy is now."""
    if out.as_json:
        out.record(
            {
                "bookmark": done.bookmark,
                "heads": [name.hex() for name in done.heads],
                "written": done.went.written,
                "removed": done.went.removed,
                "subrepos": [
                    *({"path": path, "followed": True} for path in done.subrepos),
                    *({"path": each.path, "followed": False} for each in done.stayed),
                ],
                "others": [{"workspace": other} for other in done.others],
            }
        )
        return
    heads = ", ".join(short(name) for name in done.heads) or "the empty state"
    where = ("on ", done.bookmark, " at ", heads) if done.bookmark else ("at ", heads)
    went = done.went
    moved = f": {went.written} written, {went.removed} removed" if any(went[:2]) else ""
    out.line(*where, moved)
    for path in done.subrepos:
        out.line("the subrepo ", path, " followed")
    if done.stayed:
        from oxy.actions.nested import told

        for each in done.stayed:
            out.note("the subrepo ", each.path, " stays: ", told(each))
    for other in done.others:
        out.note("the workspace ", other, " is on this bookmark too")
