"""The paths that a command is given: as words, as patterns, or as a list (spec: L2, L28)."""

from __future__ import annotations

import os
import sys

from oxy.actions.paths import inside
from oxy.cli.front import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.repo.repository import Repository
    from oxy.worktree.workcopy import WorkingCopy


def add_paths(parser: ArgumentParser, what: str, called: str = "PATH") -> None:
    """Declare the arguments by which a verb is given paths."""
    parser.add_argument("paths", nargs="*", metavar=called, help=f"{what}; or patterns")
    add_list(parser)


def add_list(parser: ArgumentParser) -> None:
    """Declare the option by which a verb reads paths from a list."""
    parser.add_argument(
        "--paths-from",
        dest="paths_from",
        metavar="FILE",
        help="read more from a file, - is standard input: a line each, or ended by NUL",
    )


def paths_of(args: Namespace, copy: WorkingCopy, *, tells: bool = False) -> list[bytes]:
    """Return the paths that were given, as the repository has them.

    With `tells` patterns match what is ignored or untracked as well.

    Raises:
        UsageError: there is no such list, or none in it.
        OutsideError: one is not in the working copy.
        NoMatchError: a pattern matches nothing.
    """
    here = os.getcwdb()
    given = [os.fsencode(word) for word in args.paths]
    found = [path for word in given for path in _named(copy, here, word, tells=tells)]
    if args.paths_from is not None:
        found += [inside(copy.root, here, path) for path in listed(args.paths_from)]
    return list(dict.fromkeys(found))


def required(args: Namespace) -> None:
    """Refuse to go on where no paths are given.

    Raises:
        UsageError: there are none.
    """
    if not args.paths and args.paths_from is None:
        message = "paths are needed; . is everything below where you stand"
        raise UsageError(message)


def _named(copy: WorkingCopy, here: bytes, word: bytes, *, tells: bool) -> list[bytes]:
    if frozenset(b"*?[").isdisjoint(word):
        return [inside(copy.root, here, word)]
    from oxy.actions.matching import is_there, matched

    path = inside(copy.root, here, word)
    return [path] if is_there(copy, path) else matched(copy, here, word, tells=tells)


def listed(file: str) -> list[bytes]:
    """Return the paths of a list; what is in their names is meant as it is.

    Raises:
        UsageError: it cannot be read, or lists nothing.
    """
    if file == "-":
        content = sys.stdin.buffer.read()
    else:
        try:
            with open(file, "rb") as opened:
                content = opened.read()
        except OSError as error:
            message = f"--paths-from {file}: {error.strerror}"
            raise UsageError(message) from error
    paths = [path for path in content.split(b"\0" if b"\0" in content else b"\n") if path]
    if not paths:
        # No paths at all would mean everything.
        message = f"--paths-from {file}: there is no path in it"
        raise UsageError(message)
    return paths


def state_and_paths(
    repository: Repository, args: Namespace, default: bytes
) -> tuple[bytes, list[bytes]]:
    """Return the state that words begin with, else a default, and the paths that follow.

    What stands behind `--` are paths. Else the first word is a state if one is called so.

    Raises:
        UsageError: it is a file as well; or it is not the only word before `--`.
        RequestError: it is neither; as `resolve_set`.
    """
    words = [os.fsencode(word) for word in args.words]
    behind = args.behind
    first = words[: 1 if behind is None else len(words) - behind]
    if len(first) > 1:
        message = f"one state stands before --, not {len(first)} words"
        raise UsageError(message)
    is_state = bool(first) and (behind is not None or _is_state(repository, first[0]))
    here = os.getcwdb()
    called = first[0] if is_state else default
    paths = words[is_state:]
    if args.paths_from is not None:
        paths += listed(args.paths_from)
    return called, [inside(repository.root, here, path) for path in paths]


def _is_state(repository: Repository, word: bytes) -> bool:
    from oxy.actions.naming import resolve_set
    from oxy.errors import RequestError

    is_there = os.path.lexists(word)
    try:
        resolve_set(repository, word)
    except RequestError:
        if is_there or _was_there(repository, word):
            return False
        raise
    if is_there:
        message = (
            f"'{os.fsdecode(word)}' is a state and a file: write -- before paths, or behind it"
        )
        raise UsageError(message)
    return True


def _was_there(repository: Repository, word: bytes) -> bool:
    """Tell whether the state of the working copy has a file at a path, or once had."""
    from oxy.actions.naming import resolve
    from oxy.actions.words import HERE_NAME
    from oxy.repo.whereabouts import nodes_ever_at

    path = inside(repository.root, os.getcwdb(), word)
    return bool(nodes_ever_at(repository, resolve(repository, HERE_NAME).state, path))
