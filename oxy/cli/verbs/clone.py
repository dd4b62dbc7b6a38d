"""`oxy clone`: make a repository like another (spec: command-line, sync SY1)."""

from __future__ import annotations

import os

from oxy.actions.clone import clone
from oxy.actions.subrepos import update_all
from oxy.cli.landed import record_of_landed
from oxy.cli.listing import Shower
from oxy.cli.outcome import counted
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Make a repository that holds what another does, and go to the bookmark that the\n"
        "other is on; it follows that from then on. The other is called origin there. It is a\n"
        "directory, or on another machine that ssh reaches: ssh://[USER@]HOST[:PORT]/PATH, or\n"
        "[USER@]HOST:PATH from your home there; or one that a server has:\n"
        "http[s]://HOST[:PORT]/PATH (`oxy help credentials`), or in an object\n"
        "store: s3://BUCKET/PATH, az://CONTAINER/PATH or file:///PATH (`oxy help buckets`)."
    )
    parser.add_argument("source", metavar="SOURCE", help="where the other repository is")
    parser.add_argument(
        "directory", nargs="?", metavar="DIR", help="where to (called as the other, here)"
    )
    parser.add_argument("--bookmark", metavar="NAME", help="go to this bookmark")
    parser.add_argument(
        "--sparse",
        action="append",
        default=[],
        metavar="PATTERN",
        help="have only the files that this fits (again: and these; `oxy sparse`)",
    )
    parser.add_argument(
        "--lazy",
        action="store_true",
        help="have the text of large files come when it is needed (`oxy help lazy`)",
    )
    parser.epilog = (
        "example:\n  oxy clone ../theirs mine\n  oxy clone grace@example.org:project\n"
        "  oxy clone https://example.org/project\n"
        "  oxy clone --lazy https://example.org/project\n\n"
        "exit codes:\n  0 fine\n"
        "  2 the directory is not empty, no such bookmark, or an address that is refused\n"
        "  3 no repository, or the connection was lost: what came is kept\n"
        "  4 something that came is not what it claims to be"
    )


def run(args: Namespace, out: Output) -> None:
    """Clone."""
    source = os.fsencode(args.source)
    directory, bookmark = (
        None if given is None else os.fsencode(given)
        for given in (args.directory, args.bookmark)
    )
    sparse = [os.fsencode(each) for each in args.sparse]
    done = clone(source, directory, bookmark, out.progress(), sparse, lazy=args.lazy)
    with working_copy(done.root) as copy:
        left = update_all(copy, out.progress())
    landed = done.landed
    if out.as_json:
        record = record_of_landed(Shower(done.root), landed, dry_run=False)
        record["path"] = done.root
        record["subrepos_left"] = [{"path": where, "reason": why} for where, why in left]
        out.record(record)
        return
    on = () if landed.joined is None else (", on ", landed.joined.bookmark or b"")
    out.line("made a repository in ", done.root, ": ", counted(landed.came), *on)
    for where, why in left:
        out.note("warning: the subrepo ", where, " is not there: ", why)
