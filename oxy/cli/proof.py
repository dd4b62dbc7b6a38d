"""The option by which signatures are shown beside changes (spec: command-line, L81).

Nothing of signing is loaded where it is not given.
"""

from __future__ import annotations

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


def signatures_for(args: Namespace, repository: Repository) -> Signatures | None:
    """Return what tells of the signatures of changes, or None where they are not asked for."""
    if not args.shows_signatures:
        return None
    from oxy.cli.signatures import Signatures

    return Signatures(repository)
