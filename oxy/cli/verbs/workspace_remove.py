"""`oxy workspace remove`: forget a working copy (spec: command-line; states, S74)."""

from __future__ import annotations

import os

from oxy.actions.workspaces import remove, workspaces
from oxy.cli.clock import stamp
from oxy.cli.front import UsageError
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Forget a working copy of the store. Its files stay where they are, without the\n"
        "`.oxy` that made them one; what was recorded there stays too."
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="as `oxy workspace list` says")
    parser.add_argument(
        "--missing", action="store_true", help="those whose directory is not there any more"
    )
    parser.epilog = (
        "example:\n  oxy workspace remove review\n\n"
        "exit codes:\n  0 fine   2 no such workspace, or it is this one   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Forget it."""
    if (args.name is None) != args.missing:
        message = "name a workspace, or say --missing"
        raise UsageError(message, "workspace remove")
    with opened(os.getcwdb()) as repository:
        names = [os.fsencode(args.name)] if args.name is not None else []
        if args.missing:
            names = [each.name for each in workspaces(repository) if not each.is_there]
        for name in names:
            does = stamp(f"workspace remove {os.fsdecode(name)}")
            path = remove(repository, does, name)
            if out.as_json:
                out.record({"name": name, "path": path})
            elif os.path.isdir(path):
                out.line("removed ", name, "; its files stay in ", path)
            else:
                out.line("removed ", name)
