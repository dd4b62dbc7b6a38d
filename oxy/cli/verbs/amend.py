"""`oxy amend`: what changed goes into a change (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.amend import Wish, amend
from oxy.actions.grammar import StateSyntaxError
from oxy.actions.identity import author_of
from oxy.actions.naming import resolve
from oxy.actions.words import UnknownStateError
from oxy.cli.choosing import add_arguments, chooser_of
from oxy.cli.given import add_paths, paths_of
from oxy.cli.listing import UNREAD, Shower
from oxy.cli.rewriting import CODES, add_message, add_trial, message_of, tell, tell_nothing
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy.worktree.workcopy import WorkingCopy


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Take what changed in the files into a change: the newest one, or CHANGE where what\n"
        "changed touches no lines of later ones. What knows it is recorded anew after it. The\n"
        "first word is CHANGE where no file is called so."
    )
    add_paths(parser, "into which; take these paths only", "[CHANGE] PATH")
    add_arguments(parser)
    add_message(parser, "another message for it")
    parser.add_argument("--author", metavar="AUTHOR", help="another author: Name <address>")
    add_trial(parser)
    parser.epilog = f"example:\n  oxy amend 3f2ab84c README.md\n\n{CODES}"


def run(args: Namespace, out: Output) -> int | None:
    """Record it anew."""
    author = None if args.author is None else author_of(os.fsencode(args.author))
    with working_copy(os.getcwdb()) as copy:
        first = os.fsencode(args.paths[0]) if args.paths else b""
        into = first if first and is_change(copy, first) else None
        if into is not None:
            del args.paths[0]
        paths = tuple(paths_of(args, copy))
        choose = chooser_of(args, out)
        wish = Wish(paths, into, message_of(args.messages), author, args.is_trial, choose)
        outcome, snapshot = amend(copy, wish)
        shower = Shower(copy.root)
        if not out.as_json:
            shower.write_left_out(out, snapshot)
    code = UNREAD if snapshot.unread else None
    if outcome is None:
        told = tell_nothing(out, is_trial=args.is_trial)
        return code or told
    tell(out, outcome, is_trial=args.is_trial)
    return code


def is_change(copy: WorkingCopy, word: bytes) -> bool:
    """Tell whether a word names a change: no file is called so, and something is."""
    if os.path.lexists(word):
        return False
    try:
        resolve(copy.repository, word)
    except (UnknownStateError, StateSyntaxError):
        return False
    return True
