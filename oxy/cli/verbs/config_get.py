"""`oxy config get`: the value of one setting (spec: command-line, L32)."""

from __future__ import annotations

from oxy.actions.config import held
from oxy.cli.configfile import control_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Print the value that counts here: that of the repository's file where it may say, or\n"
        "yours. A command and its arguments are printed a word a line."
    )
    parser.add_argument("name", metavar="SETTING", help="such as user.name")
    parser.epilog = (
        "example:\n  oxy config get user.email\n\n"
        "exit codes:\n  0 fine   1 it is not set   2 no such setting\n"
        "  3 a file is not TOML, or the value is of another kind"
    )


def run(args: Namespace, out: Output) -> int:
    """Print it."""
    found = held(control_here(), args.name)
    if found is None:
        if out.as_json:
            out.record({"name": args.name, "value": None, "path": None})
        return 1
    if out.as_json:
        out.record({"name": args.name, "value": found.value, "path": found.path})
        return 0
    for word in [found.value] if isinstance(found.value, str) else found.value:
        out.line(word)
    return 0
