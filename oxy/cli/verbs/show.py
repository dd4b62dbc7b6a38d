"""`oxy show`: changes and what they did to files (spec: command-line)."""

from __future__ import annotations

import os
from functools import partial

from oxy.actions.names import holders
from oxy.actions.naming import resolve_change
from oxy.actions.show import entry_of, show
from oxy.actions.words import HERE_NAME
from oxy.cli.changes import write_entry
from oxy.cli.differing import add_form, form_of, manner_of, write
from oxy.cli.front import UsageError
from oxy.cli.listing import Shower
from oxy.cli.people import add_mailmap, mapped, mapping_of, record_of
from oxy.cli.proof import add_signatures, signatures_for
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy.repo.repository import Repository


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show changes: who made each, when and why, and what it did, as a patch.\n"
        "Files are compared in the state that it was recorded in, and in that with it.\n"
        "With --patch it is a mail, or several, which `oxy apply --commit` and `git am` take."
    )
    parser.add_argument(
        "changes",
        nargs="*",
        metavar="CHANGE",
        help="a change id, git:ID, or a bookmark or tag for its newest (the working copy's)",
    )
    parser.add_argument("--patch", action="store_true", help="as mails, in the given order")
    add_form(parser)
    add_mailmap(parser)
    add_signatures(parser)
    parser.epilog = (
        "example:\n  oxy show --patch 3f2ab84c 88e01d2f > series.mbox\n\n"
        "exit codes:\n  0 fine   2 no such change   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Show the changes."""
    form = form_of(args)
    if args.patch and (form or out.as_json or args.ignore_whitespace):
        message = "--patch writes whole patches, and goes with no other form"
        raise UsageError(message)
    with opened(os.getcwdb()) as repository:
        called = [os.fsencode(word) for word in args.changes] or [HERE_NAME]
        changes = [resolve_change(repository, name) for name in called]
        if args.patch:
            write_mails(args, out, repository, changes)
            return
        names = {} if out.as_json else holders(repository)
        mapping = mapping_of(args, repository.root)
        signatures = signatures_for(args, repository)
        for at, change in enumerate(changes):
            if out.as_json:
                write_record(args, out, repository, change)
                continue
            if at:
                out.line("")
            entry = mapped(entry_of(repository, change), mapping)
            more = signatures.lines(change) if signatures is not None else ()
            write_entry(out, entry, names.get(change, ()), more)
            write(out, show(repository, change), args, Shower(repository.root).path)


def write_record(args: Namespace, out: Output, repository: Repository, change: int) -> None:
    """Write one change as JSON, with what it did."""
    from oxy.actions.patch import says_nothing
    from oxy.cli.patch import brief_record_of
    from oxy.cli.patch import record_of as whole_record_of

    manner = manner_of(args, out)
    of = brief_record_of if form_of(args) else whole_record_of
    diffs = (diff for diff in show(repository, change) if not says_nothing(diff, manner))
    files = [of(diff, manner) for diff in diffs]
    mapping = mapping_of(args, repository.root)
    record = record_of(entry_of(repository, change), mapping) | {"files": files}
    signatures = signatures_for(args, repository)
    if signatures is not None:
        record["signatures"] = signatures.records(change)
    out.record(record)


def write_mails(
    args: Namespace, out: Output, repository: Repository, changes: list[int]
) -> None:
    """Write changes as mails, numbered where there are several."""
    from oxy.actions.mail import Place, mail

    manner = manner_of(args, out)._replace(brief=False)
    for number, change in enumerate(changes, 1):
        entry = entry_of(repository, change)
        place = Place(number, len(changes))
        for line in mail(entry, partial(show, repository, change), place, manner):
            out.verbatim(line)
