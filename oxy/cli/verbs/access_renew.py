"""`oxy access renew`: give somebody another token (spec: command-line, L83)."""

from __future__ import annotations

from oxy.actions.granting import renew
from oxy.cli.access import add_file, file_of, write_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Give a user another token; the one before lets nobody in any more."
    parser.add_argument("user", help="the name of the user")
    add_file(parser)
    parser.epilog = (
        "example:\n  oxy access renew ada\n\n"
        "exit codes:\n  0 fine   2 no such user   3 no repository, or no file of access"
    )


def run(args: Namespace, out: Output) -> None:
    """Make the token."""
    write_token(out, renew(file_of(args), args.user))
