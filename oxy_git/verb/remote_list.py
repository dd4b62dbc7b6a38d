"""`oxy git remote list`: the Git remotes, and where they are (spec: git-bridge, GB50)."""

from __future__ import annotations

import os

from oxy.repo.repository import opened
from oxy_git.remote.address import remotes, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "List the Git remotes. A password in an address is not shown."
    parser.epilog = "example:\n  oxy git remote list\n\nexit codes:\n  0 fine   3 no repository"


def run(_args: Namespace, out: Output) -> None:
    """List them."""
    with opened(os.getcwdb()) as repository:
        for name, url in remotes(repository):
            if out.as_json:
                out.record({"name": name, "url": shown(url)})
            else:
                out.line(name, " ", shown(url))
