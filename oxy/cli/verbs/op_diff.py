"""`oxy op diff`: what differs between two operations (spec: command-line, states S48)."""

from __future__ import annotations

import os

from oxy.actions.opdiff import between
from oxy.cli.listing import Shower
from oxy.cli.number import whole
from oxy.cli.opdiff import file_records, records, write
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show what `oxy op restore` would change: which names differ between the time right\n"
        "after an operation and that after another, or now; which changes each holds since\n"
        "(+) or has lost (-); how the files of the working copy's base differ."
    )
    parser.add_argument("old", type=whole, metavar="OLD", help="an operation; 0: before all")
    parser.add_argument(
        "new", type=whole, nargs="?", metavar="NEW", help="another (the newest)"
    )
    parser.epilog = (
        "example:\n  oxy op diff 12\n\n"
        "exit codes:\n  0 fine   2 no such operation   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Show what differs."""
    with opened(os.getcwdb()) as repository:
        shower = Shower(repository.root)
        found = between(repository, args.old, args.new)
        if out.as_json:
            out.record(
                {
                    "moves": records(repository, found.moves),
                    "files": file_records(shower, found),
                }
            )
        elif found.moves:
            write(out, repository, shower, found)
        else:
            out.line("no name differs")
