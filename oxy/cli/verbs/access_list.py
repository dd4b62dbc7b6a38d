"""`oxy access list`: who may do what (spec: command-line, L83)."""

from __future__ import annotations

from oxy.actions.granting import granted
from oxy.cli.access import add_file, file_of, record_of, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "List who may read, push to and delete which bookmarks and tags."
    add_file(parser)
    parser.epilog = (
        "example:\n  oxy access list\n\n"
        "exit codes:\n  0 fine   3 no repository, no file of access, or it is not of its form"
    )


def run(args: Namespace, out: Output) -> None:
    """List them."""
    for rights in granted(file_of(args)):
        if out.as_json:
            out.record(record_of(rights))
        else:
            out.line(words_of(rights))
