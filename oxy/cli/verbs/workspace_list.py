"""`oxy workspace list`: the working copies of the store (spec: command-line; states, S70)."""

from __future__ import annotations

import os

from oxy.actions.workspaces import workspaces
from oxy.cli.workspaces import line_of, record_of
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments: none but the common ones."""
    parser.description = (
        "List the working copies of the store: what each was made from, and where it is. The\n"
        "one that you are in has a star; the one beside the store is called `.`."
    )
    parser.epilog = "example:\n  oxy workspace list\n\nexit codes:\n  0 fine   3 no repository"


def run(_args: Namespace, out: Output) -> None:
    """List them."""
    is_missing = False
    with opened(os.getcwdb()) as repository:
        for each in workspaces(repository):
            is_missing = is_missing or not each.is_there
            if out.as_json:
                out.record(record_of(repository, each))
            else:
                out.line(*line_of(repository, each))
    if is_missing and not out.as_json:
        out.note("hint: `oxy workspace remove` forgets one that is missing;")
        out.note("hint: `oxy workspace attach`, run in it, finds one that was moved")
