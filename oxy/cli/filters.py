"""What a log is filtered by, from what the user wrote (spec: command-line, L53)."""

from __future__ import annotations

from oxy.cli.front import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Sequence
    from re import Pattern
    from typing import TypeAlias

    from oxy.actions.sifting import Content
    from oxy.cli.people import Mapping
    from oxy.model.change import Header
    from oxy.repo.repository import Repository

    HeaderTest: TypeAlias = Callable[[Header], bool]

DAY = 86_400_000_000
"""Microseconds."""

DATE = len("2024-05-31")


def add_filters(parser: ArgumentParser) -> None:
    """Declare the options."""
    add_header_filters(parser)
    add_content_filters(parser)


def add_header_filters(parser: ArgumentParser) -> None:
    """Declare those that look at who made a change, when and why."""
    parser.add_argument(
        "--author",
        dest="authors",
        metavar="REGEX",
        action="append",
        default=[],
        help="by these (repeatable: any of them)",
    )
    parser.add_argument(
        "--grep",
        dest="messages",
        metavar="REGEX",
        action="append",
        default=[],
        help="with this in the message (repeatable: any of them)",
    )
    parser.add_argument(
        "-i",
        "--ignore-case",
        action="store_true",
        help="letters are alike in either case, for --author, --grep, -S and -G",
    )
    parser.add_argument(
        "--since", metavar="TIME", help="not before this time: 2024-05-31, '2 weeks ago'"
    )
    parser.add_argument(
        "--until", metavar="TIME", help="not after this time; a day is meant to its end"
    )


def add_content_filters(parser: ArgumentParser) -> None:
    """Declare those that look at what a change did."""
    parser.add_argument(
        "-S", dest="text", metavar="TEXT", help="that make TEXT occur more or less often"
    )
    parser.add_argument(
        "-G", dest="lines_with", metavar="REGEX", help="that add or remove lines with this"
    )
    parser.add_argument(
        "-L",
        dest="lines",
        metavar="RANGE:PATH",
        action="append",
        default=[],
        help="what became of these lines: START,END:PATH, /REGEX/,+COUNT:PATH (repeatable)",
    )


def is_filtered(args: Namespace) -> bool:
    """Tell whether any of them was used."""
    return bool(
        args.authors
        or args.messages
        or args.since is not None
        or args.until is not None
        or args.text is not None
        or args.lines_with is not None
        or args.lines
    )


def header_test(args: Namespace, mapping: Mapping | None) -> HeaderTest | None:
    """Return what tells by its header whether a change is shown; None where all are.

    Raises:
        UsageError: an expression is none.
        DateError: a time is none.
    """
    first = None if args.since is None else earliest(args.since)
    last = None if args.until is None else latest(args.until)
    authors = compiled("--author", args.authors, ignores_case=args.ignore_case)
    messages = compiled("--grep", args.messages, ignores_case=args.ignore_case)
    if first is last is None and not authors and not messages:
        return None

    def test(header: Header) -> bool:
        time = header.time.microseconds
        if (first is not None and time < first) or (last is not None and time > last):
            return False
        author = mapping(header.author) if mapping and authors else header.author
        return is_found(authors, author) and is_found(messages, header.message)

    return test


def earliest(given: str) -> int:
    """Return the first moment that a time means, in microseconds."""
    from oxy.actions.clock import moment_of

    return moment_of(given).microseconds


def latest(given: str) -> int:
    """Return the last moment that a time means: of a day its end."""
    is_day = len(given) == DATE and given.count("-") == len("--")
    return earliest(given) + (DAY - 1 if is_day else 0)


def compiled(option: str, given: Sequence[str], *, ignores_case: bool) -> list[Pattern[str]]:
    """Return expressions as they match, where `^` and `$` are of any line.

    Raises:
        UsageError: one is none.
    """
    if not given:
        return []
    import re

    from oxy.actions.expression import ExpressionError, expression

    flags = re.MULTILINE | (re.IGNORECASE if ignores_case else 0)
    try:
        return [expression(one, flags) for one in given]
    except ExpressionError as error:
        message = f"{option}: {error}"
        raise UsageError(message) from error


def is_found(patterns: Sequence[Pattern[str]], data: bytes) -> bool:
    """Tell whether any expression matches in a text, or there is none."""
    if not patterns:
        return True
    text = data.decode("utf-8", "surrogateescape")
    return any(pattern.search(text) for pattern in patterns)


def content_test(args: Namespace, repository: Repository) -> Content | None:
    """Return what finds the nodes of a change by the text that it adds or removes.

    Raises:
        UsageError: an expression is none, or -S and -G are both there.
    """
    if args.text is None and args.lines_with is None:
        return None
    if args.text is not None and args.lines_with is not None:
        message = "-S and -G do not go together"
        raise UsageError(message)
    from oxy.actions.pickaxe import Pickaxe

    if args.text is not None:
        if not args.text:
            message = "-S needs a text"
            raise UsageError(message)
        count = counter(args.text, ignores_case=args.ignore_case)
        whole = "\n" in args.text
        return Pickaxe(repository, lambda old, new: count(old) != count(new), whole=whole).nodes
    (pattern,) = compiled("-G", [args.lines_with], ignores_case=args.ignore_case)
    return Pickaxe(
        repository, lambda old, new: any_line(pattern, old) or any_line(pattern, new)
    ).nodes


def counter(text: str, *, ignores_case: bool) -> Callable[[bytes], int]:
    """Return what counts how often a text occurs, none of them within another."""
    import os

    if not ignores_case:
        wanted = os.fsencode(text)
        return lambda data: data.count(wanted)
    import re

    pattern = re.compile(re.escape(text), re.IGNORECASE)
    return lambda data: sum(
        1 for _ in pattern.finditer(data.decode("utf-8", "surrogateescape"))
    )


def any_line(pattern: Pattern[str], data: bytes) -> bool:
    """Tell whether an expression matches within any line."""
    return any(map(pattern.search, data.decode("utf-8", "surrogateescape").split("\n")))
