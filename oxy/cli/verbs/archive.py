"""`oxy archive`: the files of a state as a tar or zip archive (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.archive import FORMATS, Request, archive
from oxy.actions.naming import resolve
from oxy.cli.bundlefile import STREAM, written
from oxy.cli.front import UsageError
from oxy.cli.given import add_paths, paths_of
from oxy.worktree.vouched import OnDisk
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Write the files of a state as an archive. The same state gives the same archive:\n"
        "files in order, all of the time of the newest change. Subrepos are left out."
    )
    parser.add_argument("state", metavar="STATE", help="the state")
    add_paths(parser, "these files only")
    parser.add_argument(
        "-o",
        "--output",
        default=STREAM,
        metavar="FILE",
        help="the file, by whose ending the format is told (standard output)",
    )
    parser.add_argument(
        "--format", choices=sorted(set(FORMATS.values())), help="the format (tar)"
    )
    parser.add_argument(
        "--prefix", default="", metavar="TEXT", help="what comes before each path, as v1.0/"
    )
    parser.epilog = (
        "example:\n  oxy archive v1.0 -o hello-1.0.tar.gz --prefix hello-1.0/\n\n"
        "exit codes:\n  0 fine   2 no such state or path, or it is in conflict\n"
        "  3 no repository   5 the file cannot be written"
    )


def run(args: Namespace, out: Output) -> None:
    """Write the archive."""
    if args.output == STREAM and (out.is_terminal or out.as_json):
        message = "an archive is not for reading: name a file with -o"
        raise UsageError(message)
    with working_copy(os.getcwdb()) as copy:
        state = resolve(copy.repository, os.fsencode(args.state)).state
        request = Request(state, tuple(paths_of(args, copy)), os.fsencode(args.prefix))
        disk = OnDisk(copy, state)
        made = archive(copy.repository, request, format_of(args), disk.read)
        size = written(args.output, made, out)
        disk.close()
    if out.as_json:
        out.record({"file": os.fsencode(args.output), "size": size})


def format_of(args: Namespace) -> str:
    """Return the format that is asked for.

    Raises:
        UsageError: the ending of the file tells none, and nothing else does.
    """
    if args.format is not None:
        return str(args.format)
    if args.output == STREAM:
        return "tar"
    for ending, kind in FORMATS.items():
        if args.output.endswith(ending):
            return kind
    message = f"the name {args.output} tells no format: {', '.join(FORMATS)}, or --format"
    raise UsageError(message)
