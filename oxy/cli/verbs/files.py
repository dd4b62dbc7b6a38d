"""`oxy files`: the files of a state (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.files import files
from oxy.actions.naming import resolve
from oxy.actions.paths import shown
from oxy.actions.words import HERE_NAME
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "List the files of a state, as paths from where you stand."
    parser.add_argument("state", nargs="?", help="the state (the working copy's base)")
    parser.add_argument(
        "-z", dest="nul", action="store_true", help="end each with NUL, and escape nothing"
    )
    parser.epilog = (
        "example:\n  oxy files main -z | xargs -0 wc -l\n\n"
        "exit codes:\n  0 fine   2 no such state   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """List the files."""
    here = os.getcwdb()
    with opened(here) as repository:
        called = HERE_NAME if args.state is None else os.fsencode(args.state)
        for path, kind, mode in files(repository, resolve(repository, called).state):
            name = shown(repository.root, here, path)
            if out.as_json:
                out.record({"path": name, "kind": kind, "mode": f"{mode:06o}"})
            elif args.nul:
                out.raw(name + b"\0")
            else:
                out.line(name)
