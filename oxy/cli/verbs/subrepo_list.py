"""`oxy subrepo list`: how subrepos stand (spec: command-line; working-copy, W52)."""

from __future__ import annotations

import os

from oxy.actions.nested import told
from oxy.actions.paths import shown
from oxy.actions.subrepos import subrepos
from oxy.cli.output import Styled
from oxy.cli.subrepos import record_of
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "List the subrepos of the state that the files were made from: whether each is at the\n"
        "state that it is pinned to, how many changes only it or only that has, and whether\n"
        "files in it differ from what is recorded in it."
    )
    parser.epilog = "example:\n  oxy subrepo list\n\nexit codes:\n  0 fine   3 no repository"


def run(_args: Namespace, out: Output) -> None:
    """List them."""
    here = os.getcwdb()
    with working_copy(here) as copy:
        for each in subrepos(copy):
            path = shown(copy.root, here, each.path)
            if out.as_json:
                out.record(record_of(each, path))
            else:
                out.line(Styled("heading", path), " ", told(each))
