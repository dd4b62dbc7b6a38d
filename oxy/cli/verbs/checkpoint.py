"""`oxy checkpoint`: keep what makes a state quick to load (spec: command-line, CP5)."""

from __future__ import annotations

import os

from oxy.actions.checkpoint import checkpoint
from oxy.actions.naming import resolve
from oxy.actions.words import HERE_NAME
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Keep the tree of a state and the graphs of its texts in the cache, so that they load\n"
        "quickly. Nothing depends on it: the cache can be deleted at any time."
    )
    parser.add_argument("state", nargs="?", help="the state (the working copy's base)")
    parser.epilog = (
        "example:\n  oxy checkpoint main\n\n"
        "exit codes:\n  0 fine   2 no such state   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Write the checkpoint."""
    with opened(os.getcwdb()) as repository:
        called = HERE_NAME if args.state is None else os.fsencode(args.state)
        state = resolve(repository, called).state
        graphs = checkpoint(repository, state, out.progress())
    if out.as_json:
        out.record({"graphs": graphs})
    else:
        out.line(f"{graphs} graphs kept anew")
