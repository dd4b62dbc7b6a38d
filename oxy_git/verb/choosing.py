"""The options that say what of a Git repository is imported (spec: GB25, GB40, GB45)."""

from __future__ import annotations

import os

from oxy_git.importer.terms import Terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_MICRO = 1_000_000


def add_terms(parser: ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--branch",
        action="append",
        metavar="NAME",
        help="only this branch, and what else is named",
    )
    parser.add_argument(
        "--tag", action="append", metavar="NAME", help="only this tag, and what else is named"
    )
    parser.add_argument(
        "--limit", type=count, metavar="N", help="only the first N commits, parents first"
    )
    parser.add_argument(
        "--since", metavar="DATE", help="no commits from before; a truncated import"
    )
    parser.add_argument(
        "--depth",
        type=count,
        metavar="N",
        help="only N generations of commits from each ref; a truncated import",
    )
    parser.add_argument(
        "--first-parent",
        action="store_true",
        help="only the first parent of each merge; a truncated import",
    )
    parser.add_argument(
        "--allow-missing",
        action="store_true",
        help="leave files out that the Git repository does not have; a truncated import",
    )


def count(word: str) -> int:
    """Return the number that a word is.

    Raises:
        ArgumentTypeError: it is none.
    """
    if not word.isascii() or not word.isdigit():
        from argparse import ArgumentTypeError

        message = f"'{word}' is no number of commits"
        raise ArgumentTypeError(message)
    return int(word)


def terms_of(args: Namespace) -> Terms:
    """Return what the options say.

    Raises:
        DateError: what is given as one is none.
    """
    since = None
    if args.since is not None:
        from oxy.actions.clock import moment_of

        since = moment_of(args.since).microseconds // _MICRO
    return Terms(
        tuple(map(os.fsencode, args.branch or ())),
        tuple(map(os.fsencode, args.tag or ())),
        since,
        args.depth,
        bool(args.first_parent),
        bool(args.allow_missing),
        args.limit,
    )
