"""`oxy reword`: another message for a change (spec: command-line)."""

from __future__ import annotations

import os
from functools import partial

from oxy.actions.identity import author_of
from oxy.actions.reword import reword
from oxy.cli.hooks import after_rewriting, before, recording
from oxy.cli.rewriting import CODES, add_message, add_trial, message_of, tell, tell_nothing
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Give a change another message, or another author. What knows it is recorded anew\n"
        "after it. Without -m the editor shows the message as it is."
    )
    parser.add_argument("change", metavar="CHANGE", help="a change of the state of the files")
    add_message(parser, "the message")
    parser.add_argument("--author", metavar="AUTHOR", help="Name <address>")
    add_trial(parser)
    parser.epilog = f'example:\n  oxy reword 3f2ab84c -m "Explain the limits"\n\n{CODES}'


def run(args: Namespace, out: Output) -> int | None:
    """Record it anew."""
    given = message_of(args.messages)
    author = None if args.author is None else author_of(os.fsencode(args.author))
    with working_copy(os.getcwdb()) as copy:

        def ask(message: bytes) -> bytes:
            wanted = message if given is None else given
            if given is None and author is None:
                from oxy.cli.editor import edited

                wanted = edited(copy.control, b"", message)
            is_new = author is not None or wanted.strip() != message.strip()
            if is_new and wanted.strip() and not args.is_trial:
                facts = partial(recording, copy.here.bookmark, wanted, None)
                before(copy.root, "before-commit", facts)
            return wanted

        done = reword(
            copy, os.fsencode(args.change), ask, author=author, is_trial=args.is_trial
        )
        if done is not None and not args.is_trial:
            after_rewriting(out, copy.root, done)
    if done is None:
        return tell_nothing(out, is_trial=args.is_trial)
    tell(out, done, is_trial=args.is_trial)
    return None
