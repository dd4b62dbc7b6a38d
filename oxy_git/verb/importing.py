"""`oxy git import`: bring in the history of a Git repository (spec: GB20 to GB28)."""

from __future__ import annotations

import os
from time import monotonic

from oxy.cli.clock import stamp
from oxy_git.importer.run import import_git
from oxy_git.reader.git import Git
from oxy_git.verb.arrival import arrive
from oxy_git.verb.authors import keep_authors, read_authors
from oxy_git.verb.choosing import add_terms, terms_of
from oxy_git.verb.destination import destination, opened
from oxy_git.verb.recursing import import_nested
from oxy_git.verb.summary import record, summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output

GOES_ON = "what was imported in whole batches is kept; run it again to go on"


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Bring in every branch and tag of a Git repository: each commit becomes a change,\n"
        "each branch a bookmark. Done again, it brings in what is new, and goes on where it\n"
        "was interrupted. A fresh repository then has the files of HEAD, byte for byte as\n"
        "history has them: .gitattributes and filters change nothing."
    )
    parser.add_argument("source", metavar="SOURCE", help="the directory of a Git repository")
    parser.add_argument(
        "directory",
        nargs="?",
        metavar="DIR",
        help="where to (the repository here; else a new directory called as SOURCE)",
    )
    add_terms(parser)
    parser.add_argument(
        "--authors",
        metavar="FILE",
        help="how authors are shown, as .mailmap or `OLD = NAME <ADDRESS>`; ids stay",
    )
    parser.add_argument(
        "--recurse",
        action="store_true",
        help="import submodules too, from directories of this machine",
    )
    parser.add_argument(
        "--no-checkout", action="store_true", help="write no files of the working copy"
    )
    parser.epilog = (
        "examples:\n  oxy git import ~/src/project\n"
        "  oxy git import --branch main ~/src/project\n\n"
        "exit codes:\n  0 fine   2 no Git repository, or one that cannot be imported\n"
        "  3 git failed   4 an object is missing   130 interrupted: run it again to go on"
    )


def run(args: Namespace, out: Output) -> None:
    """Import, and go to where HEAD is."""
    start = monotonic()
    source = os.fsencode(args.source)
    # A source that cannot be read leaves no empty directory behind.
    git = Git(source)
    authors = None if args.authors is None else read_authors(os.fsencode(args.authors))
    terms = terms_of(args)
    root = destination(source, None if args.directory is None else os.fsencode(args.directory))
    command = f"git import {args.source}"
    repository = opened(root)
    try:
        report = import_git(repository, git, lambda: stamp(command), out.progress(), terms)
    except KeyboardInterrupt:
        out.note(GOES_ON)
        raise
    finally:
        repository.close()
    if authors is not None:
        keep_authors(root, authors)
    went = arrive(root, report.here, stamp(command), checkout=not args.no_checkout)
    nested = list(import_nested(root, git, source, out.progress())) if args.recurse else []
    tell = record if out.as_json else summary
    tell(out, root, report, went, monotonic() - start, nested)
