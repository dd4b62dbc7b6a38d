"""Paths that a pattern matches (spec: command-line, L28).

A pattern is one of an ignore file (W10), as if it stood where the user stands: without a slash
it matches names at every depth below. It names what is tracked, and what is on disk and not
ignored. Loaded only where a path is no path but has a `*`, `?` or `[`.
"""

import os
from collections.abc import Iterable, Iterator

from oxy.actions.paths import inside
from oxy.errors import RequestError
from oxy.worktree.wildmatch import Pattern, matches_path, matches_segment, parse
from oxy.worktree.workcopy import WorkingCopy

_SIGNS = frozenset(b"*?[")


class NoMatchError(RequestError):
    """A pattern matches nothing."""

    def __init__(self, pattern: bytes) -> None:
        super().__init__(f"no file matches '{os.fsdecode(pattern)}'")
        self.pattern = pattern


def is_pattern(path: bytes) -> bool:
    """Tell whether a path may be meant as a pattern."""
    return not _SIGNS.isdisjoint(path)


def is_there(copy: WorkingCopy, path: bytes) -> bool:
    """Tell whether a path of the repository is tracked or on disk, whatever is in its name."""
    directory, _, name = path.rpartition(b"/")
    if name in copy.manifest.names(directory).split(b"\0") or copy.manifest.holds(path):
        return True
    return os.path.lexists(os.path.join(copy.root, path))


def matched(
    copy: WorkingCopy, here: bytes, given: bytes, *, tells: bool = False
) -> list[bytes]:
    """Return the paths of files that a pattern matches, in order.

    With `tells` it names what is ignored or untracked as well; a directory of such as a whole.
    Cost: a walk of everything.

    Raises:
        NoMatchError: there are none.
        OutsideError: what it is about is not in the working copy.
    """
    head, rest = _parted(given)
    base = inside(copy.root, here, head or b".")
    line = b"/" + rest if head else rest
    pattern = parse(b"\\" + line if line[:1] in (b"!", b"#") else line)
    found = [] if pattern is None else _among(_paths(copy, tells=tells), base, pattern)
    if not found:
        raise NoMatchError(given)
    return found


def _parted(given: bytes) -> tuple[bytes, bytes]:
    """Return the directories before the first part that is a pattern, and the rest."""
    parts = given.split(b"/")
    first = next(at for at, part in enumerate(parts) if is_pattern(part))
    head = b"/".join(parts[:first])
    return head + b"/" if first else head, b"/".join(parts[first:])


def _paths(copy: WorkingCopy, *, tells: bool) -> Iterable[bytes]:
    snapshot = copy.snapshot(tells=tells, forgives=True)
    found = {change.path for change in (*snapshot.changes, *snapshot.large)}
    found.update(odd.path.rstrip(b"/") for odd in snapshot.oddities if tells)
    for directory in copy.manifest.directories():
        start = directory + b"/" if directory else b""
        found.update(start + name for name in copy.manifest.names(directory).split(b"\0"))
    return found


def _among(paths: Iterable[bytes], base: bytes, pattern: Pattern) -> list[bytes]:
    start = base + b"/" if base else b""
    return sorted(
        path for path in paths if path.startswith(start) and _fits(pattern, path[len(start) :])
    )


def _fits(pattern: Pattern, path: bytes) -> bool:
    """Tell whether a pattern matches a path, or a directory that it lies in."""
    return any(_matches(pattern, names) for names in _ways(pattern, path))


def _ways(pattern: Pattern, path: bytes) -> Iterator[tuple[bytes, ...]]:
    names = tuple(path.split(b"/"))
    for depth in range(1, len(names) + (not pattern.only_directories)):
        yield names[:depth]


def _matches(pattern: Pattern, names: tuple[bytes, ...]) -> bool:
    if pattern.floating:
        return matches_segment(pattern.groups[0][0], names[-1])
    return matches_path(pattern, names)
