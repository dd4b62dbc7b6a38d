"""`oxy git remote add`: call a Git repository by a name (spec: git-bridge, GB50)."""

from __future__ import annotations

import os

from oxy.cli.clock import stamp
from oxy.repo.repository import opened
from oxy_git.remote.address import add, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Call a Git repository by a name: a path, or any address that your git reaches. Its\n"
        "branches are BRANCH@NAME here once they have been pulled."
    )
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("url", metavar="URL", help="where it is, as git takes it")
    parser.epilog = (
        "example:\n  oxy git remote add origin git@example.org:project.git\n\n"
        "exit codes:\n  0 fine   2 not a name, taken, or no address   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Add it."""
    name, url = os.fsencode(args.name), os.fsencode(args.url)
    with opened(os.getcwdb()) as repository:
        command = f"git remote add {args.name} {os.fsdecode(shown(url))}"
        remote = add(repository, stamp(command), name, url)
    if out.as_json:
        out.record({"name": remote.name, "url": shown(remote.url)})
