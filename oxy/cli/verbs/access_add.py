"""`oxy access add`: let somebody in (spec: command-line, L83)."""

from __future__ import annotations

from oxy.actions.access import ANYONE, EVERYTHING, Rights
from oxy.actions.granting import grant, grant_anyone
from oxy.cli.access import add_file, file_of, record_of, words_of, write_token
from oxy.cli.front import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Make a user of what `oxy serve --http --access` serves, and show their token, which\n"
        "is kept nowhere. A pattern has * ? and [...]; behind `tag:` it is one of tags, and\n"
        "`*` alone is everything. Who cannot read a bookmark does not get what only it has."
    )
    parser.add_argument("user", help=f"the name of the user; `{ANYONE}` is who has no token")
    for right, what in (
        ("read", "see and pull (all)"),
        ("push", "move, or make"),
        ("delete", "delete"),
    ):
        parser.add_argument(
            f"--{right}", action="append", default=[], metavar="PATTERN", help=what
        )
    add_file(parser)
    parser.epilog = (
        "example:\n  oxy access add ada --push main --push 'ada/*' --delete 'ada/*'\n\n"
        "`oxy help credentials` tells where the user puts the token.\n\n"
        "exit codes:\n  0 fine   2 there is one, or nobody can be called so\n"
        "  3 no repository, or the file is not of its form"
    )


def run(args: Namespace, out: Output) -> None:
    """Make the user."""
    read = tuple(args.read) or (EVERYTHING,)
    rights = Rights(args.user, read, tuple(args.push), tuple(args.delete))
    if args.user != ANYONE:
        write_token(out, grant(file_of(args), rights))
        return
    if rights.writes:
        message = "who has no token can be let read, and no more"
        raise UsageError(message, "access add")
    grant_anyone(file_of(args), read)
    if out.as_json:
        out.record(record_of(rights))
    else:
        out.line(words_of(rights))
