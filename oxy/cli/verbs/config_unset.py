"""`oxy config unset`: take a setting out of a file (spec: command-line, L32)."""

from __future__ import annotations

from oxy.actions.configuring import remove
from oxy.cli.configfile import add_file, file_meant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Take a setting out of your own file, or of that of the repository."
    parser.add_argument("name", metavar="SETTING", help="such as user.name")
    add_file(parser, " (this one)")
    parser.epilog = (
        "example:\n  oxy config unset ui.pager\n\n"
        "exit codes:\n  0 fine   1 it was not set there\n"
        "  3 no repository, or the file is not TOML"
    )


def run(args: Namespace, out: Output) -> int:
    """Take it out."""
    path = file_meant(args)
    was_set = remove(path, args.name)
    if out.as_json:
        out.record({"name": args.name, "removed": was_set, "path": path})
    elif not was_set:
        out.line(path, f" does not set {args.name}")
    return int(not was_set)
