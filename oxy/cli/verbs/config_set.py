"""`oxy config set`: set one setting in a file (spec: command-line, L32)."""

from __future__ import annotations

from oxy.actions.configuring import write
from oxy.cli.configfile import add_file, file_meant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Set a value in your own file, or in that of the repository, which may set only what\n"
        "runs no program. Comments and order of the file stay as they are."
    )
    parser.add_argument("name", metavar="SETTING", help="such as user.name")
    parser.add_argument(
        "value", metavar="VALUE", nargs="+", help="its value; for a hook a command, in words"
    )
    add_file(parser, " (this one)")
    parser.epilog = (
        'example:\n  oxy config set user.name "Ada Lovelace"\n'
        "  oxy config set hook.before-commit -- make lint\n\n"
        "exit codes:\n  0 fine   2 no such setting, or it cannot have that value\n"
        "  3 no repository, or the file is not TOML"
    )


def run(args: Namespace, out: Output) -> None:
    """Set it."""
    path = file_meant(args)
    value = write(path, args.name, args.value, is_user=not args.repository)
    if out.as_json:
        out.record({"name": args.name, "value": value, "path": path})
