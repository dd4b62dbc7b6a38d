"""`oxy tag`: fixed names for states (spec: command-line, states S18)."""

from __future__ import annotations

import os

from oxy.actions.bookmarks import held
from oxy.actions.naming import resolve
from oxy.actions.tags import MESSAGE, create, delete
from oxy.actions.words import HERE_NAME
from oxy.cli.clock import stamp
from oxy.cli.front import UsageError
from oxy.cli.names import record_of, row_of
from oxy.model.change import subject
from oxy.repo.refs import TAG
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.bookmarks import Held
    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "List the tags; or make one for a state, or delete one."
    parser.usage = "oxy tag [NAME [STATE] [-m MESSAGE] | -d NAME] [options]"
    parser.add_argument("name", nargs="?", help="make this tag")
    parser.add_argument("state", nargs="?", help="for this state (the working copy's base)")
    parser.add_argument("-m", "--message", help="an annotation, kept beside the tag")
    parser.add_argument("-d", "--delete", metavar="NAME", help="delete one")
    parser.epilog = (
        "example:\n  oxy tag v1.0 main -m 'First release'\n\n"
        "exit codes:\n  0 fine   2 no such name or state, or not allowed   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """List or write tags."""
    if (args.name and args.delete) or (args.message is not None and not args.name):
        message = "a tag is made, with a message or not, or another is deleted"
        raise UsageError(message)
    with opened(os.getcwdb()) as repository:
        if args.delete:
            delete(repository, stamp(f"tag -d {args.delete}"), os.fsencode(args.delete))
        elif args.name:
            called = HERE_NAME if args.state is None else os.fsencode(args.state)
            state = resolve(repository, called).state
            text = None if args.message is None else os.fsencode(args.message)
            create(repository, stamp(f"tag {args.name}"), os.fsencode(args.name), state, text)
        else:
            for each in held(repository, TAG):
                show(out, each)


def show(out: Output, tag: Held) -> None:
    """Show one tag with its annotation."""
    text = dict(tag.extra).get(MESSAGE)
    if out.as_json:
        out.record(record_of(tag) | ({} if text is None else {"message": text}))
    elif text is None:
        out.line(*row_of(tag))
    else:
        out.line(*row_of(tag), " ", subject(text))
