"""`oxy remote list`: the remotes, and where they are (spec: command-line, sync SY12)."""

from __future__ import annotations

import os

from oxy.actions.remotes import remotes
from oxy.repo.repository import opened
from oxy.sync.address import without_secrets

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
            address = without_secrets(each.address)
            if out.as_json:
                out.record({"name": each.name, "address": address})
            else:
                out.line(each.name, " ", address)
