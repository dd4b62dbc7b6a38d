"""Bookmarks and tags as Git's refs (spec: git-bridge, GB33)."""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

from oxy.errors import RequestError
from oxy.repo.refs import BOOKMARK, KEPT, REMOTE, TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy_git.reader import extra
from oxy_git.reader.git import Git, GitError

HEADS: Final = b"refs/heads/"
TAGS: Final = b"refs/tags/"

EMPTY: Final = "it holds nothing"
NO_NAME: Final = "no ref of Git can be called so"
AHEAD: Final = "it has commits there that are not in the bookmark"
OTHER: Final = "there is another tag of this name"
REMOTES: Final = "it is what that repository knows of a remote"
CHECKED_OUT: Final = "it is checked out there"

_MAPPED: Final = re.compile(rb"%([0-9A-F]{2})")
_NOWHERE: Final = b"0" * 40


class NoSuchNameError(RequestError):
    """What is to be exported is no bookmark or tag."""

    def __init__(self, name: bytes) -> None:
        super().__init__(f"there is no bookmark or tag '{name.decode('utf-8', 'replace')}'")
        self.name = name


class Wanted(NamedTuple):
    """A ref that is to be: its full name and what it holds.

    `tags` are Git's own tag objects, if any; `things` what it leads to where that is no commit.
    """

    full: bytes
    ref: Ref
    target: Target
    tags: tuple[bytes, ...]
    things: tuple[tuple[bytes, bytes], ...] = ()


class Moves(NamedTuple):
    """What became of refs: those that moved, and the others with the reason."""

    moved: tuple[bytes, ...]
    refused: tuple[tuple[bytes, str], ...]


def unmapped(name: bytes) -> bytes:
    """Return the name of Git's ref; it is the inverse of how an import names it (GB20)."""
    return _MAPPED.sub(lambda found: bytes([int(found[1], 16)]), name)


def wanted_refs(repository: Repository, names: Collection[bytes]) -> list[Wanted]:
    """Return the refs of bookmarks and tags, and what is kept: of all, or of those named.

    Raises:
        NoSuchNameError: one of the names is that of none.
    """
    found = [
        Wanted(
            full,
            Ref(kind, name),
            target,
            extra.tags_of(target.extra),
            extra.things_of(target.extra),
        )
        for kind in (BOOKMARK, TAG, REMOTE, KEPT)
        for name, target in repository.refs.all(kind)
        if (full := _full(kind, name, target)) is not None and (not names or name in names)
    ]
    for name in sorted(set(names) - {wanted.ref.name for wanted in found}):
        raise NoSuchNameError(name)
    return found


def _full(kind: int, name: bytes, target: Target) -> bytes | None:
    """Return the full name of a ref; None for a remote bookmark that is none of Git's."""
    if kind == KEPT:
        return name
    if kind == REMOTE:
        return dict(target.extra).get(extra.REF)
    return {BOOKMARK: HEADS, TAG: TAGS}[kind] + unmapped(name)


def is_git_name(full: bytes) -> bool:
    """Return whether Git lets a ref be called so, by the rules of `git check-ref-format`."""
    if any(byte <= 0x20 or byte in b"\x7f~^:?*[\\" for byte in full):  # noqa: PLR2004 - space
        return False
    if b".." in full or b"@{" in full or full.endswith(b"."):
        return False
    return all(
        part and not part.startswith(b".") and not part.endswith(b".lock")
        for part in full.split(b"/")
    )


def move_refs(
    git: Git, goals: Iterable[tuple[bytes, bytes]], *, is_forced: Callable[[bytes], bool]
) -> Moves:
    """Move refs to objects that are there, all at once or none; none that would lose commits.

    Args:
        git: where.
        goals: full names with the ids of the objects.
        is_forced: tells of a name whether it may lose commits.

    Raises:
        GitError: git refused, since somebody else moved one of them just now, say.
    """
    held = refs_of(git)
    current = _checked_out(git)
    lines: list[bytes] = []
    moved: list[bytes] = []
    refused: list[tuple[bytes, str]] = []
    for full, oid in goals:
        goal, old = oid.hex().encode(), held.get(full, _NOWHERE)
        if old == goal:
            continue
        reason = _refusal(git, full, old, goal) if not is_forced(full) else None
        reason = CHECKED_OUT if full == current and old != _NOWHERE else reason
        if reason is None:
            lines.append(b"update %s\0%s\0%s\0" % (full, goal, old))
            moved.append(full)
        else:
            refused.append((full, reason))
    if lines:
        git.run("update-ref", "--stdin", "-z", data=b"".join(lines))
    return Moves(tuple(moved), tuple(refused))


def refs_of(git: Git) -> dict[bytes, bytes]:
    """Return what every ref holds, in hex."""
    said = git.run("for-each-ref", "--format=%(objectname) %(refname)")
    return {full: oid for oid, full in (line.split(b" ", 1) for line in said.splitlines())}


def _refusal(git: Git, full: bytes, old: bytes, goal: bytes) -> str | None:
    if old == _NOWHERE:
        return None
    if full.startswith(TAGS):
        return OTHER
    if full.startswith(b"refs/remotes/"):
        return REMOTES
    common = git.run("rev-list", "--max-count=1", old, b"^" + goal)
    return AHEAD if common else None


def _checked_out(git: Git) -> bytes | None:
    """Return the branch that the files of a repository are of; None where it has none."""
    if git.run("rev-parse", "--is-bare-repository").strip() == b"true":
        return None
    try:
        return git.run("symbolic-ref", "-q", "HEAD").removesuffix(b"\n")
    except GitError:
        return None
