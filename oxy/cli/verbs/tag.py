"""`oxy tag`: fixed names for states (spec: command-line; states, S18, S57)."""

from __future__ import annotations

import os

from oxy.actions.annotation import Annotation
from oxy.actions.clock import now
from oxy.actions.grammar import quoted
from oxy.actions.identity import identity
from oxy.actions.naming import resolve
from oxy.actions.tags import create, delete, existing, tags
from oxy.actions.words import HERE_NAME
from oxy.cli.clock import stamp
from oxy.cli.front import UsageError
from oxy.cli.names import row_of, tag_lines, tag_record
from oxy.model.change import subject
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.tags import Tag
    from oxy.cli.output import Output
    from oxy.repo.repository import Repository


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "List the tags; or make one for a state, show all of one, or delete one. A tag with a\n"
        "message also keeps who made it and when."
    )
    parser.usage = "oxy tag [NAME [STATE] [-m MESSAGE] | -l [PATTERN] | --show NAME | -d NAME]"
    parser.add_argument("name", nargs="?", help="make this tag")
    parser.add_argument("state", nargs="?", help="for this state (the working copy's base)")
    parser.add_argument("-m", "--message", help="an annotation, kept beside the tag")
    doing = parser.add_mutually_exclusive_group()
    doing.add_argument(
        "-l",
        "--list",
        nargs="?",
        const="*",
        metavar="PATTERN",
        help="list those whose name fits, with * ? and [...]",
    )
    doing.add_argument("--show", metavar="NAME", help="show one with its whole message")
    doing.add_argument("-d", "--delete", metavar="NAME", help="delete one")
    parser.add_argument(
        "--sort", choices=("name", "time", "version"), default="name", help="the list's order"
    )
    parser.add_argument("--reverse", action="store_true", help="the list from its end")
    parser.epilog = (
        "example:\n  oxy tag v1.0 main -m 'First release'\n\n"
        "exit codes:\n  0 fine   2 no such name or state, or not allowed   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """List or write tags."""
    others = (args.delete, args.show, args.list)
    is_made = args.name is not None
    if (is_made and any(each is not None for each in others)) or (
        args.message is not None and not is_made
    ):
        message = "a tag is made, with a message or not, or others are listed, shown or deleted"
        raise UsageError(message)
    with opened(os.getcwdb()) as repository:
        if args.delete is not None:
            delete(repository, stamp(f"tag -d {args.delete}"), os.fsencode(args.delete))
        elif args.show is not None:
            show(out, existing(repository, os.fsencode(args.show)))
        elif is_made:
            make(args, repository, out)
        else:
            pattern = None if args.list is None else os.fsencode(args.list)
            found = tags(repository, pattern, args.sort)
            for each in reversed(found) if args.reverse else found:
                write(out, each)


def make(args: Namespace, repository: Repository, out: Output) -> None:
    """Make a tag."""
    name = os.fsencode(args.name)
    called = HERE_NAME if args.state is None else os.fsencode(args.state)
    state = resolve(repository, called).state
    annotation = None
    if args.message is not None:
        tagger = identity(repository.control)
        annotation = Annotation(os.fsencode(args.message), tagger, now())
    create(repository, stamp(f"tag {args.name}"), name, state, annotation)
    written = quoted(name)
    if written != name:
        out.note("where a state is named, this one is ", written)


def write(out: Output, tag: Tag) -> None:
    """Write the line of one tag."""
    if out.as_json:
        out.record(tag_record(tag))
    elif tag.annotation is None:
        out.line(*row_of(tag.held))
    else:
        out.line(*row_of(tag.held), " ", subject(tag.annotation.message))


def show(out: Output, tag: Tag) -> None:
    """Show all of one tag."""
    if out.as_json:
        out.record(tag_record(tag))
        return
    for line in tag_lines(tag):
        out.line(*line)
