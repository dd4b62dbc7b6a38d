"""`oxy bundle create`: write changes to a file (spec: command-line, sync SY27)."""

from __future__ import annotations

import os

from oxy.actions.bundling import create
from oxy.cli.bundlefile import written
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Write bookmarks and tags, with all that they reach, to a file. With --since, what\n"
        "that state has is left out, and whoever applies the bundle must have it."
    )
    parser.add_argument("file", metavar="FILE", help="the file; - is standard output")
    parser.add_argument(
        "states", nargs="*", metavar="STATE", help="bookmarks and tags (the one you are on)"
    )
    parser.add_argument(
        "--since", action="append", default=[], metavar="STATE", help="without what it has"
    )
    parser.epilog = (
        "example:\n  oxy bundle create week.oxb main --since v1.2\n\n"
        "exit codes:\n  0 fine   2 no such state, or one without a name   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Write it."""
    states, since = ([os.fsencode(each) for each in part] for part in (args.states, args.since))
    with opened(os.getcwdb()) as repository:
        pieces = create(repository, states, since)
        size = written(args.file, pieces, out)
    if args.file == "-":
        return
    if out.as_json:
        out.record({"file": os.fsencode(args.file), "size": size})
    else:
        out.line(args.file, f": {size} bytes")
