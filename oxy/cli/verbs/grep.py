"""`oxy grep`: lines that match, in the files or in a state (spec: command-line)."""

from __future__ import annotations

import os

from oxy.cli.front import UsageError
from oxy.cli.given import add_paths, paths_of
from oxy.cli.number import whole
from oxy.cli.output import Styled
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator

    from oxy.actions.grep import Found
    from oxy.actions.seeking import Hit, Query
    from oxy.cli.output import Output, Part
    from oxy.worktree.workcopy import WorkingCopy


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Search files for lines that match a pattern, a regular expression of Python: those\n"
        "of the working copy that are not ignored, as they are on disk, or those of a state."
    )
    parser.add_argument("pattern", nargs="?", metavar="PATTERN", help="what to look for")
    add_paths(parser, "look into these only")
    parser.add_argument(
        "-e",
        dest="patterns",
        action="append",
        default=[],
        metavar="PATTERN",
        help="a pattern; again: or this one",
    )
    parser.add_argument("--at", metavar="STATE", help="search this state")
    parser.add_argument("-F", "--fixed", action="store_true", help="patterns are plain text")
    parser.add_argument("-i", "--ignore-case", action="store_true", help="case does not count")
    parser.add_argument("-w", "--word", action="store_true", help="match whole words only")
    parser.add_argument("-n", dest="number", action="store_true", help="show line numbers")
    parser.add_argument("-l", dest="names", action="store_true", help="show the paths alone")
    parser.add_argument(
        "-c", dest="count", action="store_true", help="count lines for each file"
    )
    for option, dest in (("-A", "after"), ("-B", "before"), ("--context", "around")):
        parser.add_argument(
            option, dest=dest, type=whole, default=0, metavar="N", help=f"lines {dest} each"
        )
    parser.epilog = (
        'example:\n  oxy grep -n "def +main" --at v1.0 src\n\n'
        "exit codes:\n  0 found   1 nothing matches   2 no such state or path, or no pattern\n"
        "  3 no repository"
    )


def run(args: Namespace, out: Output) -> int:
    """Search."""
    from oxy.actions.grep import grep
    from oxy.actions.seeking import Around, Matcher
    from oxy.cli.listing import Shower

    matcher = Matcher(query_of(args))
    around = Around(max(args.before, args.around), max(args.after, args.around))
    if args.names or args.count or out.as_json:
        around = Around()
    with working_copy(os.getcwdb()) as copy:
        shower = Shower(copy.root)
        writer = Writer(args, out)
        for found in grep(sources(args, copy), matcher, around):
            writer.write(shower.path(found.path), found)
    return int(not writer.count)


def query_of(args: Namespace) -> Query:
    """Return what is looked for; with -e the first word is a path.

    Raises:
        UsageError: there is no pattern, or more is asked for than goes together.
    """
    from oxy.actions.seeking import Query

    if args.names and args.count:
        message = "-l and -c do not go together"
        raise UsageError(message)
    patterns = list(args.patterns)
    if args.pattern is not None and patterns:
        args.paths.insert(0, args.pattern)
    elif args.pattern is not None:
        patterns.append(args.pattern)
    if not patterns:
        message = "a pattern is needed"
        raise UsageError(message)
    return Query(tuple(patterns), args.ignore_case, args.word, args.fixed)


def sources(args: Namespace, copy: WorkingCopy) -> Iterator[tuple[bytes, Iterable[bytes]]]:
    """Return the files to search."""
    from oxy.actions.grep import recorded, working

    if args.at is None:
        return working(copy, paths_of(args, copy))
    from oxy.actions.naming import resolve

    state = resolve(copy.repository, os.fsencode(args.at)).state
    return recorded(copy, state, paths_of(args, copy))


class Writer:
    """Writes what was found, and counts the files."""

    __slots__ = ("_args", "_has_context", "_out", "count")

    def __init__(self, args: Namespace, out: Output) -> None:
        self._args = args
        self._out = out
        self._has_context = bool(args.before or args.after or args.around)
        self.count = 0

    def write(self, path: bytes, found: Found) -> None:
        """Write one file."""
        if self._has_context and self.count and not self._out.as_json:
            self._out.line("--")
        self.count += 1
        if self._args.names:
            self._name(path)
        elif self._args.count:
            self._counted(path, sum(hit.matches for hit in found.hits))
        elif found.binary:
            self._binary(path)
        else:
            self._lines(path, found.hits)

    def _name(self, path: bytes) -> None:
        if self._out.as_json:
            self._out.record({"path": path})
        else:
            self._out.line(Styled("heading", path))

    def _counted(self, path: bytes, count: int) -> None:
        if self._out.as_json:
            self._out.record({"path": path, "count": count})
        else:
            self._out.line(Styled("heading", path), f":{count}")

    def _binary(self, path: bytes) -> None:
        if self._out.as_json:
            self._out.record({"path": path, "binary": True})
        else:
            self._out.line("binary file ", Styled("heading", path), " matches")

    def _lines(self, path: bytes, hits: Iterable[Hit]) -> None:
        last = None
        for hit in hits:
            if self._out.as_json:
                self._out.record({"path": path, "line": hit.number, "text": hit.text})
                continue
            if self._has_context and last not in {None, hit.number - 1}:
                self._out.line("--")
            last = hit.number
            sign = ":" if hit.matches else "-"
            number: tuple[Part, ...] = ()
            if self._args.number:
                number = (Styled("id", str(hit.number)), sign)
            self._out.line(Styled("heading", path), sign, *number, *painted(hit))


def painted(hit: Hit) -> Iterator[Part]:
    """Yield a line in parts: what matches stands out."""
    at = 0
    for start, end in hit.spans:
        yield hit.text[at:start]
        yield Styled("removed", hit.text[start:end])
        at = end
    yield hit.text[at:]
