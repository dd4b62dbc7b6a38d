"""`oxy deps`: what a change depends on, and why (spec: command-line, states S35)."""

from __future__ import annotations

import os

from oxy.actions.deps import dependencies, dependents
from oxy.actions.naming import resolve, resolve_change
from oxy.actions.paths import shown
from oxy.actions.words import HERE_NAME
from oxy.cli.changes import summary_of
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from oxy.actions.deps import Dependency, Reason
    from oxy.cli.output import Output
    from oxy.cli.records import Record


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show the changes that a change cannot be without, and why: the lines that it deletes\n"
        "or stands beside, the files that it edits, the values that it replaces.\n"
        "With --dependents: the changes of a state that depend on it."
    )
    parser.add_argument(
        "change",
        nargs="?",
        metavar="CHANGE",
        help="a change id, or a name for its newest (the working copy's)",
    )
    parser.add_argument("--dependents", action="store_true", help="show what depends on it")
    parser.add_argument(
        "--at", metavar="STATE", help="of this state, with --dependents (the working copy's)"
    )
    parser.epilog = (
        "example:\n  oxy deps 3f2ab84c --dependents\n\n"
        "exit codes:\n  0 fine   2 no such change or state   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Show them."""
    here = os.getcwdb()
    with opened(here) as repository:
        change = resolve_change(
            repository, HERE_NAME if args.change is None else os.fsencode(args.change)
        )
        if args.dependents:
            called = HERE_NAME if args.at is None else os.fsencode(args.at)
            state = resolve(repository, called).members(repository)
            found = list(dependents(repository, change, state))
        else:
            found = list(dependencies(repository, change))

        def path(of: bytes) -> bytes:
            return shown(repository.root, here, of)

    if out.as_json:
        for each in found:
            out.record(record_of(each, path))
        return
    if not found:
        out.line("nothing depends on it" if args.dependents else "it depends on nothing")
    for each in found:
        out.line(*summary_of(each.entry))
        for reason in each.reasons:
            write(out, reason, path(reason.path))


def write(out: Output, reason: Reason, path: bytes) -> None:
    """Write a reason for people."""
    where = "" if reason.line is None else f":{reason.line}"
    if not reason.lines:
        out.line("    ", path, ": ", reason.what)
        return
    more = f" and {reason.lines - 1} more" if reason.lines > 1 else ""
    out.line("    ", path, where, " ", reason.what, ": ", reason.text, more)


def record_of(found: Dependency, path: Callable[[bytes], bytes]) -> Record:
    """Return a change and the reasons for JSON."""
    header = found.entry.header
    return {
        "id": found.entry.id.hex(),
        "author": header.author,
        "message": header.message,
        "reasons": [reason_of(reason, path(reason.path)) for reason in found.reasons],
    }


def reason_of(reason: Reason, path: bytes) -> Record:
    """Return a reason for JSON; of lines, with how many, and the first one."""
    record: dict[str, bytes | str | int | None] = {"path": path, "what": reason.what}
    if reason.lines:
        record |= {"line": reason.line, "lines": reason.lines, "text": reason.text}
    return record
