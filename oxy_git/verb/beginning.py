"""`oxy git init`: a repository where one of Git is (spec: git-bridge, GB65)."""

from __future__ import annotations

import os

from oxy.cli.clock import stamp
from oxy.cli.outcome import counted
from oxy.repo.place import CONTROL
from oxy.repo.refs import HERE, Target
from oxy.repo.repository import Repository, RepositoryExistsError
from oxy_git.beside.glance import git_directory
from oxy_git.beside.keeping import NoCheckoutError, end, keep, note
from oxy_git.beside.step import NOTHING
from oxy_git.reader.git import Git
from oxy_git.verb.importing import GOES_ON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy_git.beside.keeping import Kept


class ThereAlreadyError(RepositoryExistsError):
    """There is a repository of oxy beside Git's already."""


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Make a repository in a directory that has one of Git, with all of its history, and\n"
        "stand where its HEAD does. No file is written but in `.oxy`.\n"
        "With --colocate both are kept in step from then on: what oxy records is there as\n"
        "commits, and what git commits, switches to or fetches, oxy takes in."
    )
    parser.add_argument(
        "directory", nargs="?", default=".", metavar="DIR", help="a checkout of Git (here)"
    )
    parser.add_argument("--colocate", action="store_true", help="keep both in step from now on")
    parser.epilog = (
        "example:\n  oxy git init --colocate\n\n"
        "exit codes:\n  0 fine   2 a Git repository that cannot be imported\n"
        "  3 no Git repository is there, one of oxy is, or git failed\n"
        "  4 an object is missing   130 interrupted: run it again to go on"
    )


def run(args: Namespace, out: Output) -> None:
    """Make the repository, and bring everything in."""
    root = os.path.abspath(os.fsencode(args.directory))
    if git_directory(root) is None:
        raise NoCheckoutError(root)
    # What cannot be read leaves no empty repository behind.
    Git(root)
    _make(root)
    note(root)
    try:
        kept = keep(root, lambda: stamp("git init"), out.progress())
    except KeyboardInterrupt:
        out.note(GOES_ON)
        raise
    if not args.colocate:
        end(root)
    for parts in kept.said:
        out.note(*parts)
    tell(out, root, kept, "made a repository in ")


def _make(root: bytes) -> None:
    """Make an empty repository; one that an interrupted command left is taken.

    Raises:
        ThereAlreadyError: there is one.
    """
    if not os.path.isdir(os.path.join(root, CONTROL)):
        Repository.create(root).close()
        return
    repository = Repository.at(root)
    try:
        if repository.refs.get(HERE) is not None:
            raise ThereAlreadyError(root)
    finally:
        repository.close()


def tell(out: Output, root: bytes, kept: Kept, done: str) -> None:
    """Tell what was done, and where the working copy is."""
    repository = Repository.at(root)
    try:
        here = repository.refs.get(HERE) or Target(NOTHING)
    finally:
        repository.close()
    if out.as_json:
        out.record({"path": root, "commits": kept.commits, "bookmark": here.bookmark})
        return
    what = counted(kept.commits, "commit")
    out.line(done, root)
    where = ("on ", here.bookmark) if here.bookmark is not None else ("on no bookmark",)
    out.line(f"{what} of Git taken in; ", *where)
