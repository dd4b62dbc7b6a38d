"""`oxy access remove`: let somebody in no more (spec: command-line, L83)."""

from __future__ import annotations

from oxy.actions.access import ANYONE
from oxy.actions.granting import grant_anyone, revoke
from oxy.cli.access import add_file, file_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Let a user in no more; a server that runs knows it within a second."
    parser.add_argument("user", help=f"the name of the user, or `{ANYONE}`")
    add_file(parser)
    parser.epilog = (
        "example:\n  oxy access remove ada\n\n"
        "exit codes:\n  0 fine   2 no such user   3 no repository, or no file of access"
    )


def run(args: Namespace, out: Output) -> None:
    """Take the rights away."""
    if args.user == ANYONE:
        grant_anyone(file_of(args), ())
    else:
        revoke(file_of(args), args.user)
    if out.as_json:
        out.record({"user": args.user})
