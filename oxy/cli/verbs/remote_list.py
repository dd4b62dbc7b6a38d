"""`oxy remote list`: the remotes, and where they are (spec: command-line, sync SY12)."""

from __future__ import annotations

import os

from oxy.actions.remotes import remotes
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "List the remotes and where they are."
    parser.epilog = "example:\n  oxy remote list\n\nexit codes:\n  0 fine   3 no repository"


def run(_args: Namespace, out: Output) -> None:
    """List them."""
    with opened(os.getcwdb()) as repository:
        for each in remotes(repository):
            if out.as_json:
                out.record({"name": each.name, "address": each.address})
            else:
                out.line(each.name, " ", each.address)
