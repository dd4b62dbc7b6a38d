"""`oxy op show`: what one operation did (spec: command-line, states S48)."""

from __future__ import annotations

import os

from oxy.actions.opdiff import show
from oxy.cli.listing import Shower
from oxy.cli.number import whole
from oxy.cli.opdiff import file_records, records, write
from oxy.cli.oplog import heading, record_of
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show an operation: which names it moved, which changes each holds since (+) or has\n"
        "lost (-), and how the files of the working copy's base changed."
    )
    parser.add_argument("operation", type=whole, help="its number, as `oxy op log` shows it")
    parser.epilog = (
        "example:\n  oxy op show 12\n\n"
        "exit codes:\n  0 fine   2 no such operation   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Show it."""
    with opened(os.getcwdb()) as repository:
        shower = Shower(repository.root)
        logged, found = show(repository, args.operation)
        if out.as_json:
            record = dict(record_of(repository, logged))
            record["moves"] = records(repository, found.moves)
            record["files"] = file_records(shower, found)
            out.record(record)
        else:
            out.line(*heading(logged))
            write(out, repository, shower, found)
