"""The file of access that commands mean, and rights in words (spec: command-line, L83)."""

from __future__ import annotations

import os

from oxy.actions.access import FILE
from oxy.repo.place import find, home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.access import Rights
    from oxy.actions.granting import Granted
    from oxy.cli.output import Output
    from oxy.cli.records import Record

AGAIN = "; it is kept nowhere, so this is the only time that it is shown"


def add_file(parser: ArgumentParser) -> None:
    """Declare the option."""
    parser.add_argument(
        "--file",
        metavar="FILE",
        help="the file of access (.oxy/access.toml of this repository)",
    )


def file_of(args: Namespace) -> bytes:
    """Return the file that is meant.

    Raises:
        NoRepositoryError: none is named, and there is no repository here.
    """
    if args.file is not None:
        return os.path.join(os.getcwdb(), os.fsencode(args.file))
    return os.path.join(home(find(os.getcwdb())).control, FILE)


def write_token(out: Output, granted: Granted) -> None:
    """Show a token, this once."""
    if out.as_json:
        out.record({"user": granted.user, "token": granted.token})
        return
    out.line(granted.token)
    out.note(f"that is the token of {granted.user}{AGAIN}")


def record_of(rights: Rights) -> Record:
    """Return rights for JSON."""
    return {
        "user": rights.user,
        "read": list(rights.read),
        "push": list(rights.push),
        "delete": list(rights.delete),
    }


def words_of(rights: Rights) -> str:
    """Return rights on one line."""
    named = zip(rights._fields[1:], rights[1:], strict=True)
    parts = [f"{what} {', '.join(patterns)}" for what, patterns in named if patterns]
    return f"{rights.user}: {'; '.join(parts) or 'nothing'}"
