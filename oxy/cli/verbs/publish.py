"""`oxy publish`: a repository as plain files (spec: command-line, sync SY56)."""

from __future__ import annotations

import os

from oxy.actions.publish import publish
from oxy.cli.outcome import counted
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Write the repository to a directory as plain files, which any web server can hand\n"
        "out: others clone and pull from its address, and nobody pushes to it. Again, it\n"
        "writes what is new. Copy the directory to a server with what copies files, the\n"
        "file oxy/heads last."
    )
    parser.add_argument("directory", metavar="DIR", help="where to; made if it is not there")
    parser.add_argument(
        "bookmarks",
        nargs="*",
        metavar="BOOKMARK",
        help="only these bookmarks, and no tags (all of both)",
    )
    parser.epilog = (
        "example:\n  oxy publish /srv/www/project && oxy clone /srv/www/project mine\n\n"
        "exit codes:\n  0 fine   2 no such bookmark, or inside of .oxy\n"
        "  3 no repository, or the directory cannot be written"
    )


def run(args: Namespace, out: Output) -> None:
    """Publish."""
    directory = os.fsencode(args.directory)
    bookmarks = tuple(map(os.fsencode, args.bookmarks))
    with opened(os.getcwdb()) as repository:
        done = publish(repository, directory, bookmarks, out.progress())
    if out.as_json:
        out.record(
            {
                "path": os.path.realpath(directory),
                "changes": done.changes,
                "written": done.written,
                "removed": done.removed,
            }
        )
        return
    if not done.written:
        out.line("nothing new to publish in ", args.directory)
        return
    removed = f", {files(done.removed)} that nothing names removed" if done.removed else ""
    out.line(args.directory, ": ", counted(done.changes), f" in {files(done.written)}", removed)


def files(count: int) -> str:
    """Return how many files, in words."""
    return "1 file" if count == 1 else f"{count} files"
