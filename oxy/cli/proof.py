"""What commands that deal with signatures declare alike (spec: command-line, L80, L81).

Nothing of signing is loaded where it is not given.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.signatures import Signatures
    from oxy.repo.repository import Repository


def add_signatures(parser: ArgumentParser) -> None:
    """Declare the option."""
    parser.add_argument(
        "--show-signature",
        dest="shows_signatures",
        action="store_true",
        help="who signed, as far as the file of allowed signers says so",
    )


def add_what(parser: ArgumentParser) -> None:
    """Declare what is signed or verified."""
    parser.add_argument(
        "what",
        nargs="*",
        metavar="STATE",
        help="its newest changes (the working copy's); of a set A-B all",
    )
    parser.add_argument("--tag", action="append", default=[], metavar="NAME", help="a tag")


def what_of(args: Namespace, doing: str) -> list[bytes]:
    """Return what states are called that are meant, none where tags are.

    Raises:
        UsageError: both are named.
    """
    if args.tag and args.what:
        from oxy.cli.front import UsageError

        message = f"changes and tags are {doing} by commands of their own"
        raise UsageError(message)
    return [os.fsencode(each) for each in args.what]


def signatures_for(args: Namespace, repository: Repository) -> Signatures | None:
    """Return what tells of the signatures of changes, or None where they are not asked for."""
    if not args.shows_signatures:
        return None
    from oxy.cli.signatures import Signatures

    return Signatures(repository)
