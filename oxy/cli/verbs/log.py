"""`oxy log`: the changes of a state, newest first (spec: command-line, L53; states, S16)."""

from __future__ import annotations

import os
from itertools import islice

from oxy.actions.log import log
from oxy.actions.names import holders
from oxy.actions.naming import resolve_set
from oxy.actions.words import HERE_NAME
from oxy.cli.changes import lines_of, piece_of, summary_of, write_count
from oxy.cli.differing import add_form, form_of
from oxy.cli.filters import add_filters, is_filtered
from oxy.cli.front import UsageError
from oxy.cli.given import add_list, state_and_paths
from oxy.cli.graph import Drawing, write_beside
from oxy.cli.number import positive
from oxy.cli.people import add_mailmap, mapped, mapping_of, record_of
from oxy.cli.proof import add_signatures
from oxy.repo.repository import opened
from oxy.repo.states import Name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator

    from pyroaring import BitMap

    from oxy.actions.log import Entry
    from oxy.cli.output import Output
    from oxy.repo.repository import Repository

NO_PATHS: list[bytes] = []

TOGETHER = 64
"""Changes that are written in one go."""


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Show the changes of a state, newest first: a change comes after all that know it,\n"
        "then the later one comes first. With paths only those that touch what is there, or\n"
        "was, wherever it was then. The first word is a state where one is called so and no\n"
        "file is; what follows -- are paths."
    )
    parser.add_argument(
        "words",
        nargs="*",
        metavar="[STATE] PATH",
        help="whose changes: a state, or A-B (the working copy's); touching these paths",
    )
    add_list(parser)
    parser.add_argument("-n", type=positive, dest="limit", metavar="N", help="show at most N")
    parser.add_argument("--reverse", action="store_true", help="the oldest first")
    parser.add_argument("--count", action="store_true", help="only how many there are")
    add_filters(parser)
    parser.add_argument("--graph", action="store_true", help="draw forks and joins beside it")
    parser.add_argument("--oneline", action="store_true", help="a line for each change")
    parser.add_argument(
        "--format",
        dest="template",
        metavar="TEMPLATE",
        help="lay each change out: '{prefix} {time:date} {name}: {subject}'",
    )
    add_mailmap(parser)
    add_signatures(parser)
    parser.add_argument("-p", "--patch", action="store_true", help="what each change did")
    add_form(parser)
    parser.epilog = (
        "Fields of a template: {change}, {prefix}, {author}, {name}, {email}, {time},\n"
        "{subject}, {body}, {message}, {bookmarks}, {git}, {dependencies}, {context},\n"
        "{replaces}, {replaced_by}. Ids take a number of digits, {change:8}; times one of\n"
        "iso, date, short, unix, or a pattern, {time:%d.%m.%Y}. \\n, \\t, \\\\, \\{ and \\}\n"
        "are characters.\n\n"
        "example:\n  oxy log --graph --oneline -n 20 main\n"
        "  oxy log --author ada --since '2 weeks ago' -p -- src\n\n"
        "exit codes:\n  0 fine   2 no such state, path or line   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Show the log."""
    refuse_together(args)
    form_of(args)
    with opened(os.getcwdb()) as repository:
        mapping = mapping_of(args, repository.root)
        called, paths = HERE_NAME, NO_PATHS
        if args.words or args.paths_from is not None:
            called, paths = state_and_paths(repository, args, HERE_NAME)
        changes = resolve_set(repository, called)
        if args.count and not paths and not is_filtered(args):
            write_count(out, count_of(repository, changes, args.limit))
            return
        if paths or not is_plain(args):
            from oxy.cli.logs import Log

            Log(args, out, repository, mapping).show(changes, paths)
            return
        entries = log(repository, changes, args.limit, draws=args.graph)
        if out.as_json:
            for entry in entries:
                out.record(record_of(entry, mapping))
            return
        held = holders(repository)
        if mapping is not None:
            entries = (mapped(entry, mapping) for entry in entries)
        write(args, out, entries, held)


def count_of(repository: Repository, changes: Name | BitMap, limit: int | None) -> int:
    """Return how many changes a log of all of them shows. Cost: none of them is read."""
    state = repository.states.members(changes) if isinstance(changes, Name) else changes
    return len(state) if limit is None else min(len(state), limit)


def refuse_together(args: Namespace) -> None:
    """Refuse options that do not go together."""
    if args.graph and args.nul:
        message = "--graph and -z do not go together"
        raise UsageError(message)
    if args.oneline and args.template is not None:
        message = "--oneline and --format do not go together"
        raise UsageError(message)
    if args.shows_signatures and (args.oneline or args.template is not None):
        message = "--show-signature goes with neither --oneline nor --format"
        raise UsageError(message)


def is_plain(args: Namespace) -> bool:
    """Tell whether every change is shown, as it is."""
    return not (
        is_filtered(args)
        or args.reverse
        or args.count
        or args.patch
        or args.shows_signatures
        or args.template is not None
        or form_of(args)
    )


def write_plain(out: Output, entries: Iterator[Entry], held: dict[int, list[bytes]]) -> None:
    """Write changes without a drawing or colour, many in one go."""
    while some := list(islice(entries, TOGETHER)):
        out.raw(b"".join([piece_of(entry, held.get(entry.change, ())) for entry in some]))


def write(
    args: Namespace, out: Output, entries: Iterable[Entry], held: dict[int, list[bytes]]
) -> None:
    """Write changes, in one piece each where that can be."""
    if not (args.oneline or args.graph or out.is_coloured):
        write_plain(out, iter(entries), held)
        return
    drawing = Drawing() if args.graph else None
    for entry in entries:
        names = held.get(entry.change, ())
        lines = [summary_of(entry, names)] if args.oneline else lines_of(entry, names)
        write_beside(out, drawing, entry, lines)
