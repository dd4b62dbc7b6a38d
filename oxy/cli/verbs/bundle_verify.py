"""`oxy bundle verify`: prove a file, keep nothing (spec: command-line, sync SY28)."""

from __future__ import annotations

import os

from oxy.actions.bundling import verify
from oxy.cli.bundlefile import reading
from oxy.cli.bundles import record_of_head, tell_head
from oxy.cli.outcome import counted
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Check all that `oxy bundle apply` checks, against this repository, and keep nothing."
    )
    parser.add_argument("file", metavar="FILE", help="the file; - is standard input")
    parser.epilog = (
        "example:\n  oxy bundle verify week.oxb\n\n"
        "exit codes:\n  0 fine   3 no repository, or what it builds on is not here\n"
        "  4 something in it is not what it claims to be"
    )


def run(args: Namespace, out: Output) -> None:
    """Check it."""
    with reading(args.file) as file, opened(os.getcwdb()) as repository:
        found = verify(repository, file.read, out.progress())
    if out.as_json:
        record = record_of_head(found.head, found.counts)
        out.record(record | {"new_changes": found.changes, "new_blobs": found.blobs})
        return
    tell_head(out, found.head, found.counts)
    out.line("nothing is wrong; ", counted(found.changes), " would come")
