"""`oxy bundle inspect`: what a file says that it holds (spec: command-line, sync SY27)."""

from __future__ import annotations

from oxy.actions.bundling import inspect
from oxy.cli.bundlefile import reading
from oxy.cli.bundles import record_of_head, tell_head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show what a bundle holds: names, how many changes, and what it builds on. Every\n"
        "digest is proven; no repository is needed."
    )
    parser.add_argument("file", metavar="FILE", help="the file; - is standard input")
    parser.epilog = (
        "example:\n  oxy bundle inspect week.oxb\n\n"
        "exit codes:\n  0 fine   4 it is torn, or no bundle   5 it cannot be read"
    )


def run(args: Namespace, out: Output) -> None:
    """Show it."""
    with reading(args.file) as file:
        found = inspect(file.read)
    if out.as_json:
        out.record(record_of_head(found.head, found.counts))
    else:
        tell_head(out, found.head, found.counts)
