"""`oxy remote show`: how yours stands to a remote (spec: command-line, sync SY61)."""

from __future__ import annotations

import os

from oxy.actions.remotes import meant, require
from oxy.actions.upstreams import standings
from oxy.cli.output import Styled
from oxy.repo.refs import HERE
from oxy.repo.repository import opened
from oxy.sync.address import without_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.upstreams import Standing
    from oxy.cli.output import Output
    from oxy.cli.records import Record


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show where a remote is, the bookmarks that were seen there last, and how yours of\n"
        "the same names stand to them. It is not asked: `oxy fetch` does that."
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="which (the upstream)")
    parser.epilog = (
        "example:\n  oxy fetch origin && oxy remote show origin\n\n"
        "exit codes:\n  0 fine   2 no such remote   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Show it."""
    given = None if args.name is None else os.fsencode(args.name)
    with opened(os.getcwdb()) as repository:
        here = repository.refs.get(HERE)
        remote = meant(repository, given, here.bookmark if here else None)
        require(repository, remote)
        found = standings(repository, remote)
    address = without_secrets(remote.address)
    if out.as_json:
        bookmarks = list(map(record_of, found))
        out.record({"name": remote.name, "address": address, "bookmarks": bookmarks})
        return
    out.line(Styled("heading", remote.name), " ", address)
    for each in found:
        follows = ", followed by yours" if each.follows else ""
        out.line("  ", each.name, ": ", told(each), follows)


def told(standing: Standing) -> str:
    """Return how yours stands to it, in words."""
    if not standing.is_there:
        return "not seen there"
    if standing.ahead is None or standing.behind is None:
        return "not yours"
    parts = [(standing.ahead, "ahead"), (standing.behind, "behind")]
    return ", ".join(f"{count} {way}" for count, way in parts if count) or "the same"


def record_of(standing: Standing) -> Record:
    """Return it for JSON."""
    return {
        "name": standing.name,
        "there": standing.is_there,
        "ahead": standing.ahead,
        "behind": standing.behind,
        "follows": standing.follows,
    }
